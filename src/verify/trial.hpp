// SPDX-License-Identifier: Apache-2.0
// Schedules run in earnest, as a check on the verifier: does the engine compute what the proof says, bit by bit?
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "verify/verify.hpp"

namespace espalier {

struct Trial {
  std::size_t elements = 0;  // of the whole message; of blocks of different sizes: of each on average
  Sample sample;
  std::size_t granule = 1;
  std::uint64_t seed = 0;  // decides in which order messages complete
};

// Runs all ranks over the memory transport, with an arithmetic in which neither order nor grouping may be changed, and
// compares each element of each output with the value of the proof's expression. `findings` are those of a verdict on
// these schedules. Empty text: equal.
[[nodiscard]] std::string run_trial(const Case& problem, std::span<const Schedule> ranks, const Findings& findings,
                                    const Trial& trial);

}  // namespace espalier
