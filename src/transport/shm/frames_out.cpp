// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/frames_out.hpp"

namespace espalier {

void FramesOut::write(const OutgoingFrame& one) {
  if (is_full() || !write_now(one)) return waiting_.push_back(one);
  wake_reader();
}

bool FramesOut::write_now(const OutgoingFrame& one) {
  if (!to_.write(one.frame, one.payload)) return false;
  if (one.whose != nullptr) one.whose->complete(one.token);
  return true;
}

bool FramesOut::write_waiting() {
  bool has_written = false;
  for (; is_full() && (write_now(waiting_.front()) || found_room()); waiting_.pop_front()) has_written = true;
  if (has_written) looks_for_room_ = 0;
  return has_written;
}

// A reader that is at work makes room soon, and its ring stays in cache. Another one may be elsewhere for long.
bool FramesOut::found_room() {
  constexpr unsigned looks_before_spare = 1000;
  return ++looks_for_room_ >= looks_before_spare && to_.move_on() && write_now(waiting_.front());
}

void FramesOut::forget(const Completions& whose) {
  std::erase_if(waiting_, [&](const OutgoingFrame& one) { return one.whose == &whose; });
}

}  // namespace espalier
