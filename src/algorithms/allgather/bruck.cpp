// SPDX-License-Identifier: Apache-2.0
//    step 0:  r -> r-1    0 | 0 1       After ceil(log2 p) steps, in each of which a rank hands on all that it has (in the
//    step 1:  r -> r-2    0 1 | 2 3     last one only what is missing), everybody has everything.
//    step 2:  r -> r-4    0 1 2 3 | 4 ...
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  b.merge_streams();
  Bundle mine = {b.input()};
  for (int have = 1; have < b.size(); have *= 2) {
    const int missing = std::min(have, b.size() - have);
    const auto at = [&](int distance) { return wrap(std::int64_t{b.rank()} + distance, b.size()); };
    b.send(at(-have), first_blocks(mine, missing));
    mine.push_back(b.recv(at(have), {at(have), missing}));
  }
  b.output(mine);
}

}  // namespace

extern const Algorithm allgather_bruck{
    .name = "bruck",
    .collective = Collective::allgather,
    .description = "ceil(log2 p) steps over doubling distances; any number of ranks",
    .source =
        "Bruck et al.: Efficient algorithms for all-to-all communications in multiport message-passing systems, 1997",
    .takes_uneven = true,
    .build = build,
};

}  // namespace espalier
