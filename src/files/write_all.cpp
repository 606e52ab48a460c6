// SPDX-License-Identifier: Apache-2.0
#include "files/write_all.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "files/without_signal.hpp"

namespace espalier {

namespace {

constexpr int max_wait_milliseconds = 5000;  // for a reader that does not read on

std::string why() { return std::strerror(errno); }

bool wait_until_writable(int file) {
  pollfd one{.fd = file, .events = POLLOUT, .revents = 0};
  return poll(&one, 1, max_wait_milliseconds) == 1;
}

}  // namespace

std::string write_all(int file, std::string_view text) {
  const WithoutSignal of_pipe(SIGPIPE), of_size(SIGXFSZ);
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      if (!wait_until_writable(file)) return "nobody reads what is written";
    } else if (errno != EINTR) {
      return why();
    }
  }
  return {};
}

std::string write_and_close(int file, std::string_view text) {
  if (file < 0) return why();
  std::string error = write_all(file, text);
  if (close(file) != 0 && error.empty()) error = why();
  return error;
}

}  // namespace espalier
