// SPDX-License-Identifier: Apache-2.0
// In which order does an algorithm add? The same wherever it must be, and as it claims (algorithms/order_class.hpp)?
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "verify/sweep.hpp"

namespace espalier::proof {

// Of one algorithm among the same ranks: told of one proved case after the other.
class OrderCheck {
 public:
  // A rank that calls in place, which only that rank knows; however the message is cut, unless the claim says
  // otherwise; and as the others of its class. Empty text: nothing is wrong.
  [[nodiscard]] std::string check(const SweepCase& one, const Findings& findings);

 private:
  [[nodiscard]] std::string check_claim(const SweepCase& one, const Findings& findings);

  std::map<std::tuple<Rank, int, int, int>, std::uint64_t>
      classes_;                                  // by all but who is in place; no reduction has uneven blocks
  std::map<Rank, std::uint64_t> class_of_root_;  // of the first case with that root
};

}  // namespace espalier::proof
