// SPDX-License-Identifier: Apache-2.0
//    step k:  r -> r+k, r <- r-k        One step after the other; everybody sends to the same distance.
#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall_flows.hpp"

namespace espalier {

namespace {

template <Together together>
void build(Builder& b) {
  std::vector<Partners> steps;
  for (Rank distance = 1; distance < b.size(); ++distance) {
    steps.push_back(
        {wrap(std::int64_t{b.rank()} + distance, b.size()), wrap(std::int64_t{b.rank()} - distance, b.size())});
  }
  exchange_in_steps(b, steps, together);
}

constexpr Algorithm ring(std::string_view name, std::string_view description, void (*build)(Builder&)) {
  return {.name = name,
          .collective = Collective::alltoall,
          .description = description,
          .source = "paper 5, section 4; Faraj, Yuan, Lowenthal: STAR-MPI, 2006",
          .takes_uneven = true,
          .is_direct = true,
          .keeps_in_step = true,
          .most_ranks = most_ranks_in_steps,
          .build = build};
}

}  // namespace

extern const Algorithm alltoall_ring =
    ring("ring", "over growing distances, one step after the other", build<Together::never>);
extern const Algorithm alltoall_ring_one_barrier =
    ring("ring_one_barrier", "as ring, after a barrier", build<Together::at_the_start>);
extern const Algorithm alltoall_ring_light_barrier =
    ring("ring_light_barrier", "as ring, to anyone who has said that the step before is over",
         build<Together::pair_by_pair>);
extern const Algorithm alltoall_ring_mpi_barrier =
    ring("ring_mpi_barrier", "as ring, with a barrier between steps", build<Together::before_each_step>);

}  // namespace espalier
