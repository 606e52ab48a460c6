// SPDX-License-Identifier: Apache-2.0
// Where ranks leave a collective while others are still in it (there is a root, or prefixes are formed), calls one
// after the other overlap. What one costs shows only later, in a caller that waits for the late ones.
//
// So wherever another candidate takes over, the ranks first meet, by messages of the call itself; and what
// each waits there for the others belongs to the calls since they last did.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/types.hpp"

namespace espalier {

// `bytes`: of the message, or the power of two below; of short ones a meeting would take longer than the calls.
[[nodiscard]] bool calls_overlap(Collective collective, std::size_t bytes);

// Whether no rank leaves a call before all have arrived: there is no root, and no prefixes are formed.
[[nodiscard]] bool depends_on_all(Collective collective);

// Whether a rank may leave such a call, natively, while others are thousands of calls behind: its messages are sent at
// once. So nothing may be agreed on in it, by which ranks would wait for each other. Of uneven blocks ranks do not
// know all sizes, so `bytes` is 0 there.
[[nodiscard]] bool may_run_ahead(Collective collective, std::size_t bytes);

class Meetings {
 public:
  // Before the call of that ordinal, unless the ranks have just met.
  [[nodiscard]] bool is_due(std::uint64_t ordinal) const { return last_ != ordinal; }
  // They have met; that took so long on this rank, of which it needed `least` for the messages.
  void note(std::uint64_t ordinal, double seconds, double least) {
    waited_per_call_ =
        std::max(0.0, seconds - least) / static_cast<double>(std::max<std::uint64_t>(1, ordinal - last_));
    first_ = last_;
    last_ = ordinal;
    ++count_;
  }
  // The calls that the wait belongs to are those from first() on.
  [[nodiscard]] std::uint64_t first() const { return first_; }
  [[nodiscard]] double waited_per_call() const { return waited_per_call_; }
  // Meetings since it was last asked.
  [[nodiscard]] double take_count() {
    const double count = count_;
    count_ = 0;
    return count;
  }

 private:
  std::uint64_t first_ = 0, last_ = 0;
  double waited_per_call_ = 0;
  int count_ = 0;
};

}  // namespace espalier
