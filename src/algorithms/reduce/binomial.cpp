// SPDX-License-Identifier: Apache-2.0
//    0 <------ 4          The broadcast's binomial tree, upwards: log2 p steps for short messages.
//    |\         \         .
//    1 2 <- 3    5 6 <- 7
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) { reduce_up(b, tree_here(b, binomial)); }

}  // namespace

extern const Algorithm reduce_binomial{
    .name = "binomial",
    .collective = Collective::reduce,
    .description = "partial results climb a binomial tree",
    .source = "Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005",
    .order = {"binomial"},
    .is_baseline = true,
    .tree = binomial,
    .build = build,
};

}  // namespace espalier
