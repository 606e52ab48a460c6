// SPDX-License-Identifier: Apache-2.0
// Many calls one after the other, as a program makes them: what all of them take, with whatever is learnt meanwhile.
#pragma once

#include "comparison.hpp"

namespace bench {

// Of each size and variant one row: `seconds` has the mean time of a call, over options.series calls of what chooses
// (native, espalier) and a tenth of that of what is fixed. Throws if a result is wrong.
[[nodiscard]] std::vector<Row> run_series(const Options& options, MPI_Comm comm,
                                          const std::function<void(const std::string&)>& progress);

}  // namespace bench
