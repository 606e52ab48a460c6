// SPDX-License-Identifier: Apache-2.0
// The tuner that a policy stands for.
#pragma once

#include <memory>

#include "select/alternatives.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

struct TuningStart {
  int first = 0;               // which of the alternatives has run so far
  bool calls_overlap = false;  // as overlap.hpp has it
  double room = 0;             // may still be lost by learning, in native calls, if less than what is lent at the start
  double run = 1;              // calls that are timed as one
  double calls_before = 0;
};
[[nodiscard]] std::unique_ptr<tuning::Tuner> tuner_for(const TuningSettings& settings,
                                                       std::span<const Alternative> alternatives,
                                                       const TuningStart& start);

}  // namespace espalier
