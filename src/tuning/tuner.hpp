// SPDX-License-Identifier: Apache-2.0
// Chooses among candidates by how long they take while they are in use. It knows them by number alone; candidate 0 is
// the native MPI.
//
// Calls come in blocks. Before each block all ranks agree on how long the calls of the last one took; all that is
// decided is a function of that, in arithmetic that has the same bits everywhere. So all ranks decide alike.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "tuning/candidate.hpp"

namespace espalier::tuning {

// What is to be done with the next calls: first the rest, so that what is timed is as it usually is, and newly known.
struct Plan {
  std::vector<int> calls;  // the candidate of each of those that are timed
  int incumbent = 0;       // thought the best
  std::size_t rest = 0;  // before them, this many calls run the incumbent, and nobody wants to know how long they take
  bool permanently = false;  // all later calls run the incumbent, and nobody wants to know how long they take
};

// Seconds, equal on all ranks: means over them. That is what the program spends, and of calls one after the other how
// long one takes on the slowest route. (The least is that of the rank that arrived last, which need not be served
// last.)
struct Timings {
  std::span<const double> calls;  // of each call of the plan; 0: it is not known
  double overhead = 0;            // what agreeing and planning took
  double once = 0;                // what was done besides that need not be done again
};

class Tuner {
 public:
  Tuner() = default;
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;
  virtual ~Tuner() = default;

  [[nodiscard]] const Plan& plan() const { return plan_; }
  // Of what the plan said; then there is another one. Nothing is allocated once there was a plan of each kind.
  virtual void learn(const Timings& timings) = 0;
  [[nodiscard]] virtual Opinion opinion(int candidate) const = 0;
  // What may still be lost by learning, in calls of candidate 0; infinite: nobody counts.
  [[nodiscard]] virtual double room() const { return std::numeric_limits<double>::infinity(); }

 protected:
  Plan plan_;
};

}  // namespace espalier::tuning
