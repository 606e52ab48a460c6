// SPDX-License-Identifier: Apache-2.0
// Reductions on a schedule of ours.
#pragma once

#include "mpi/own.hpp"

namespace espalier {

[[nodiscard]] int do_own_reduction(const OwnCall& own, const std::function<void(Prepared&)>& repeatable);

}  // namespace espalier
