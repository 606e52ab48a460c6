// SPDX-License-Identifier: Apache-2.0
#include "select/fixed_table.hpp"

namespace espalier {

namespace {

constexpr std::size_t KiB = 1024;

// Below these, start-up costs decide, and there the native MPI knows its machine better than a table can.
constexpr FixedRule rules[] = {
    {Collective::bcast, 4, 512 * KiB, Arithmetic::rank_order, "circulant", usual_cut,
     "large message: a pipeline whose start-up grows with the logarithm of the ranks only"},
    {Collective::reduce, 4, 512 * KiB, Arithmetic::commutative, "rabenseifner", usual_cut,
     "large message: reduce-scatter and gather share the arithmetic and the traffic among all ranks"},
    {Collective::allreduce, 4, 512 * KiB, Arithmetic::commutative, "ring", usual_cut,
     "large message: a ring moves the least data and shares the arithmetic among all ranks"},
};

}  // namespace

std::span<const FixedRule> fixed_table() { return rules; }

}  // namespace espalier
