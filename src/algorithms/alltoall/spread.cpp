// SPDX-License-Identifier: Apache-2.0
//    step k:  r -> r+k, r <- r-k        Each block goes to its rank directly, a few of them at a time: in every step all
//                                       ranks send to different ones.
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Range after{b.rank() + 1, b.size() - 1}, before{b.rank() - 1, b.size() - 1, -1};
  b.send_each(after, b.input(b.to(after)));
  const Stream others = b.recv_each(before, b.from(before));
  const Range own{b.rank(), 1};
  b.output(b.input(b.to(own)));
  b.output(others);
}

}  // namespace

extern const Algorithm alltoall_spread{
    .name = "spread",
    .collective = Collective::alltoall,
    .description = "directly, over growing distances, a few blocks at a time (the window; large: all at once)",
    .source = "paper 5, section 4: Simple spread",
    .takes_uneven = true,
    .is_direct = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
