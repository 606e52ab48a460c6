// SPDX-License-Identifier: Apache-2.0
// What a request does that waits for the other end of its message, by what that answers and as time passes: it asks,
// then says that nobody is there, and then aborts. A state machine; anyone who has it looks at the clock.
#pragma once

#include <chrono>

#include "core/clock.hpp"
#include "mpi/communicators/pairs.hpp"

namespace espalier {

class MissingEnd {
 public:
  using Seconds = std::chrono::duration<double>;

  // Who waits so long asks, and then again and again.
  static constexpr std::chrono::seconds time_to_ask{1};
  // It says so after that time; the other end may still get there.
  static constexpr Seconds time_to_log{10};

  enum class Finding : std::uint8_t {
    nothing,       // to be said
    none_as_yet,   // to be said once by each request
    none_in_time,  // the end
    other_length,  // the end
  };
  struct Step {
    Finding finding = Finding::nothing;
    bool asks = false;
    [[nodiscard]] bool is_end() const { return finding == Finding::none_in_time || finding == Finding::other_length; }
  };

  // At each start.
  void begin() { has_begun_ = false; }
  // Whenever it is looked at, with the latest answer to this start. `timeout`: for so long the other end may say that
  // it has none like it.
  [[nodiscard]] Step look(Clock::time_point now, PairAnswer answer, Seconds timeout);

 private:
  bool has_begun_ = false, has_logged_ = false;
  Clock::time_point asked_, alone_since_;  // since when the other end says that it has none like it
};

}  // namespace espalier
