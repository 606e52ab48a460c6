// SPDX-License-Identifier: Apache-2.0
// What was learnt about the alternatives of a context, for a memory.
#pragma once

#include <optional>
#include <span>

#include "memory/memory_text.hpp"
#include "policy/measured/sampled_times.hpp"
#include "select/alternatives.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

// The incumbent first, then the others that were timed, and those of `known` that are still sure enough. `calls`: of
// the context so far.
[[nodiscard]] ContextMemory what_was_learnt(const Problem& problem, std::span<const Alternative> alternatives,
                                            const tuning::Tuner& tuner, std::span<const KnownChoice> known,
                                            double calls);

// Of at least a few timed calls of an algorithm: for a history.
[[nodiscard]] std::optional<ObservedTimes> what_was_observed(const Choice& choice, const SampledTimes& times);

[[nodiscard]] std::uint64_t hash_of(const ContextMemory& memory);

}  // namespace espalier
