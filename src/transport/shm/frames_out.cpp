// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/frames_out.hpp"

#include <algorithm>

namespace espalier {

void FramesOut::write(const OutgoingFrame& one) {
  if (is_full() || !write_now(one)) return set_waiting(one);
  wake_reader();
}

// A sender that is always ahead of its reader takes no more memory for that: it uses the room of what was written.
void FramesOut::set_waiting(const OutgoingFrame& one) {
  const bool has_room_in_front = !is_full() || 2 * first_ > waiting_.size();
  if (has_room_in_front && waiting_.size() == waiting_.capacity()) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  waiting_.push_back(one);
}

bool FramesOut::write_now(const OutgoingFrame& one) {
  if (!to_.write(one.frame, one.payload)) return false;
  if (one.whose != nullptr) one.whose->complete(one.token);
  return true;
}

bool FramesOut::write_waiting() {
  bool has_written = false;
  for (; is_full() && (write_now(first()) || found_room()); ++first_) has_written = true;
  if (has_written) looks_for_room_ = 0;
  return has_written;
}

// A reader that is at work makes room soon, and its ring stays in cache. Another one may be elsewhere for long.
bool FramesOut::found_room() {
  constexpr unsigned looks_before_spare = 1000;
  return ++looks_for_room_ >= looks_before_spare && to_.move_on() && write_now(first());
}

void FramesOut::forget(const Completions& whose) {
  const auto waiting = waiting_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto is_of_it = [&](const OutgoingFrame& one) { return one.whose == &whose; };
  waiting_.erase(std::remove_if(waiting, waiting_.end(), is_of_it), waiting_.end());
}

}  // namespace espalier
