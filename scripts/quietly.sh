# SPDX-License-Identifier: Apache-2.0
# To be sourced. quietly LOG WORDS COMMAND...: runs COMMAND with its output in the file LOG. On the screen: one line with
# the time it took (on a terminal its last words while it runs), and the end of the log if it fails.

quietly() {
  local log=$1 what=$2 start=$SECONDS status=0 watcher=
  shift 2
  mkdir -p "$(dirname "$log")"
  printf '%s ... ' "$what"
  if [[ -t 1 ]]; then
    : >"$log"
    show_last_words "$log" "$what" &
    watcher=$!
  fi
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [[ $watcher ]]; then
    kill "$watcher" && wait "$watcher" || true
    printf '\r\033[K%s ... ' "$what"
  fi 2>/dev/null
  if ((status == 0)); then
    printf 'done (%d s)\n' $((SECONDS - start))
    return
  fi
  printf 'FAILED (%d s)\n' $((SECONDS - start))
  tail -n 60 "$log" | sed 's/^/    /'
  printf 'The whole log: %s\n' "$log"
  return $status
}

show_last_words() {
  local words width
  while sleep 1; do
    words=$(tail -n 1 "$1" | tr -d '\r\033')
    width=$(($(tput cols 2>/dev/null || echo 80) - ${#2} - 6))
    ((width > 0)) && printf '\r\033[K%s ... %s' "$2" "${words:0:width}"
  done
}
