// SPDX-License-Identifier: Apache-2.0
// How the ranks of a communicator come to give it the same number.
#pragma once

#include <optional>

#include "mpi/id_pool.hpp"
#include "transport/mpi/native.hpp"

namespace espalier {

// Collective over `comm`, on which it makes native calls. All ranks get the same number, which none of them has in use,
// or all get nothing: if no number is free on all of them, or if the MPI failed, or if threads kept being in each
// other's way.
[[nodiscard]] std::optional<int> agree_on_id(const Native& mpi, MPI_Comm comm, IdPool& pool);

}  // namespace espalier
