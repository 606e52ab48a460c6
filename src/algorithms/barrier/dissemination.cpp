// SPDX-License-Identifier: Apache-2.0
//    step 0:  r -> r+1       After ceil(log2 p) steps everybody has received from everybody. What flows is empty; that it
//    step 1:  r -> r+2       may pass on twice what was received twice is no harm.
//    step 2:  r -> r+4
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  Stream all = b.input();
  for (std::int64_t distance = 1; distance < b.size(); distance *= 2) {
    b.send(wrap(b.rank() + distance, b.size()), all);
    all = b.reduce(all, b.recv(wrap(b.rank() - distance, b.size())));
  }
  b.output(all);
}

}  // namespace

extern const Algorithm barrier_dissemination{
    .name = "dissemination",
    .collective = Collective::barrier,
    .description = "ceil(log2 p) rounds over doubling distances",
    .source = "Hensgen, Finkel, Manber: Two algorithms for barrier synchronization, 1988",
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
