// SPDX-License-Identifier: Apache-2.0
// Many calls one after the other, as a program makes them: what all of them take, with whatever is learnt meanwhile.
#pragma once

#include "comparison.hpp"

namespace bench {

// Of each size and variant one row: `seconds` has the mean time of a call, from when the last rank begins the first one
// until the last rank is done; `each` the time of each call. There are options.series calls; or as many as
// options.limit allows, by what the first ones took, but some at least. What is an algorithm all the time makes its
// connections before; if Espalier leaves its calls to the MPI, it has no row. With options.is_fresh each row has a
// communicator of its own. Throws if a result is wrong.
[[nodiscard]] std::vector<Row> run_series(const Options& options, MPI_Comm comm);

}  // namespace bench
