// SPDX-License-Identifier: Apache-2.0
//    step 1:  0-1 2-3        One step after the other, in each of which ranks meet in pairs: across a hypercube where
//    step 2:  0-2 1-3        there is one, and else as in a tournament.
//    step 3:  0-3 1-2
#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall_flows.hpp"
#include "algorithms/shapes/pairing.hpp"

namespace espalier {

namespace {

template <Together together>
void build(Builder& b) {
  std::vector<Partners> steps;
  for (int round = 0; round < rounds_of_pairs(b.size()); ++round) {
    const std::optional<Rank> other = met_in_round(b.rank(), round, b.size());
    steps.push_back({other, other});
  }
  exchange_in_steps(b, steps, together);
}

constexpr Algorithm pairwise(std::string_view name, std::string_view description, void (*build)(Builder&)) {
  return {.name = name,
          .collective = Collective::alltoall,
          .description = description,
          .source = "paper 5, section 4; Thakur, Rabenseifner, Gropp, 2005",
          .takes_uneven = true,
          .is_direct = true,
          .keeps_in_step = true,
          .most_ranks = most_ranks_in_steps,
          .build = build};
}

}  // namespace

extern const Algorithm alltoall_pairwise =
    pairwise("pairwise", "with one partner after the other; any number of ranks", build<Together::never>);
extern const Algorithm alltoall_pairwise_one_barrier =
    pairwise("pairwise_one_barrier", "as pairwise, after a barrier", build<Together::at_the_start>);
extern const Algorithm alltoall_pairwise_light_barrier =
    pairwise("pairwise_light_barrier", "as pairwise, with ranks that have said that the step before is over",
             build<Together::pair_by_pair>);
extern const Algorithm alltoall_pairwise_mpi_barrier =
    pairwise("pairwise_mpi_barrier", "as pairwise, with a barrier between steps", build<Together::before_each_step>);

}  // namespace espalier
