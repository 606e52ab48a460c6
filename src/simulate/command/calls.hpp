// SPDX-License-Identifier: Apache-2.0
// Which calls are played: the user's candidates at each size. For gains there is besides what Espalier would begin
// with, and it is known what a plain MPI may do.
#pragma once

#include <vector>

#include "simulate/command/candidates.hpp"
#include "tool/networks.hpp"

namespace espalier::tool {

struct SimulatedCall {
  Problem problem;
  Choice choice;
  bool is_chosen = false;  // by the estimate; of no call where the native MPI is left in place
  bool is_plain = false;   // MPIs do it, too: it goes by rank numbers
};

[[nodiscard]] Problem problem_of(Collective collective, std::size_t bytes, Rank root);

// Those of the candidates that fit.
[[nodiscard]] std::vector<SimulatedCall> calls_of(const std::vector<SimulatedCandidate>& candidates,
                                                  const std::vector<Problem>& problems, const Shape& shape);

// With the choice at each size among them. `job`: as a job would see the machine. Throws BadRequest where the
// candidates have nothing of a plain MPI's.
[[nodiscard]] std::vector<SimulatedCall> calls_with_gains(const std::vector<SimulatedCandidate>& candidates,
                                                          const std::vector<Problem>& problems, const Shape& shape,
                                                          const JobNetworks& job);

}  // namespace espalier::tool
