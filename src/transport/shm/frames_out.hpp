// SPDX-License-Identifier: Apache-2.0
// All frames from this process to another one, in order: they wait here while the stream is full.
#pragma once

#include <vector>

#include "transport/shm/completions.hpp"
#include "transport/shm/sleep_word.hpp"
#include "transport/shm/stream.hpp"

namespace espalier {

struct OutgoingFrame {
  ShmFrame frame;
  const std::byte* payload = nullptr;
  Completions* whose = nullptr;  // of a message, and of what says that one was read: it is over when that is written
  Token token = 0;
};

class FramesOut {
 public:
  FramesOut(const StreamWriter& to, const SleepWord& reader) : to_(to), reader_(reader) {}

  [[nodiscard]] StreamWriter& stream() { return to_; }
  [[nodiscard]] bool is_full() const { return first_ < waiting_.size(); }
  // At once, or when there is room. Throws std::bad_alloc.
  void write(const OutgoingFrame& one);
  // What waits, as far as there is room. True if there was any.
  bool write_waiting();
  // What is said of messages of that port.
  void forget(const Completions& whose);
  void wake_reader() const { reader_.wake_if_asleep(); }

 private:
  [[nodiscard]] bool write_now(const OutgoingFrame& one);
  [[nodiscard]] bool found_room();
  void set_waiting(const OutgoingFrame& one);
  [[nodiscard]] const OutgoingFrame& first() const { return waiting_[first_]; }

  StreamWriter to_;
  const SleepWord reader_;
  std::vector<OutgoingFrame> waiting_;  // those before `first_` were written
  std::size_t first_ = 0;
  unsigned looks_for_room_ = 0;
};

}  // namespace espalier
