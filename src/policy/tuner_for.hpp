// SPDX-License-Identifier: Apache-2.0
// The tuner that a policy stands for.
#pragma once

#include <memory>

#include "select/alternatives.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

// `first`: which of the alternatives has run so far. `calls_overlap`: as overlap.hpp has it. `room`: what may still be
// lost by learning, in native calls, if that is less than what is lent at the start.
[[nodiscard]] std::unique_ptr<tuning::Tuner> tuner_for(const TuningSettings& settings,
                                                       std::span<const Alternative> alternatives, int first,
                                                       bool calls_overlap, double room);

}  // namespace espalier
