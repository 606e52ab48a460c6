// SPDX-License-Identifier: Apache-2.0
//    step 0:  0 <-> 1   2 <-> 3   4 <-> 5        p/2 exchanges with the two neighbours in turn: of the own block first,
//    step 1:  1 <-> 2   3 <-> 4   5 <-> 0        then of the two blocks that arrived last. An odd number of ranks goes round
//    step 2:  0 <-> 1   2 <-> 3   4 <-> 5        a ring.
#include "algorithms/algorithm.hpp"
#include "algorithms/allgather_flows.hpp"

namespace espalier {

namespace {

// The blocks 2k and 2k + 1 of a pair of ranks.
Range pair(int k, Rank size) { return {2 * wrap(k, size / 2), 2}; }

void build(Builder& b) {
  if (b.size() % 2 != 0) return gather_round_the_ring(b);
  const Ring ring{b.rank(), b.size()};
  const bool is_even = b.rank() % 2 == 0;
  const int towards_left = is_even ? 1 : -1;  // on which side the pairs that come lie first
  b.merge_streams();
  const Stream own = b.input();
  const Rank partner = is_even ? ring.right() : ring.left();
  b.send(partner, own);
  const Stream theirs = b.recv(partner, {partner, 1});
  Bundle latest = is_even ? Bundle{own, theirs} : Bundle{theirs, own};
  b.output(latest);
  for (int step = 1; step < b.size() / 2; ++step) {
    const bool is_outwards = step % 2 == 1;
    const Rank neighbor = is_outwards == is_even ? ring.left() : ring.right();
    const int distance = is_outwards ? -(step + 1) / 2 : step / 2;
    b.send(neighbor, latest);
    latest = {b.recv(neighbor, pair(b.rank() / 2 + towards_left * distance, b.size()))};
    b.output(latest);
  }
}

}  // namespace

extern const Algorithm allgather_neighbor_exchange{
    .name = "neighbor_exchange",
    .collective = Collective::allgather,
    .description = "p/2 exchanges of two blocks with the neighbours in turn; an odd number of ranks goes round a ring",
    .source = "Chen et al.: Performance evaluation of allgather algorithms on terascale Linux cluster, 2005",
    .takes_uneven = true,
    .most_ranks = 4096,  // an operation or two for each two ranks
    .is_baseline = true,
    .build = build,
};

}  // namespace espalier
