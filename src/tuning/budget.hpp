// SPDX-License-Identifier: Apache-2.0
// What learning may cost, in calls of the native MPI: a share of the calls so far (and of a few that are lent at the
// start), and what better candidates have saved.
#pragma once

#include <algorithm>

#include "tuning/evidence/assumptions.hpp"

namespace espalier::tuning {

class Budget {
 public:
  explicit Budget(const Assumptions& assumptions)
      : share_(assumptions.budget),
        credit_(assumptions.credit_calls),
        before_(assumptions.calls_before),
        booked_(std::max(0.0, share_ * credit_ - assumptions.remaining)) {}

  // First calls, looks, and all that was lost before a change.
  void book(double calls) { booked_ += calls; }
  // What all agreements took, at what a call is now believed to take: the first ones came before anybody knew that.
  void value_agreements(double calls) { agreements_ = calls; }
  // What may still be lost until this many calls have been made.
  [[nodiscard]] double room(double calls) const {
    return share_ * std::max(before_ + calls, credit_) - booked_ - agreements_;
  }
  // After how many calls the remaining budget will be larger by so much than after `calls`.
  [[nodiscard]] double calls_until(double calls, double more) const {
    return std::max(calls, credit_ - before_) + more / share_;
  }

 private:
  double share_, credit_, before_;
  double booked_, agreements_ = 0;
};

}  // namespace espalier::tuning
