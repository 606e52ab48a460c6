// SPDX-License-Identifier: Apache-2.0
// How the ranks of a communicator come to give it the same number.
#pragma once

#include <optional>

#include "mpi/communicators/id_pool.hpp"
#include "transport/mpi/native.hpp"

namespace espalier {

struct AgreedId {
  std::optional<int> id;
  int status = MPI_SUCCESS;  // of the native call that failed, if one did
};

// Collective over `comm`, on which it makes native calls. All ranks get the same number, which none of them has in use,
// or all get nothing: if some rank is not able to use one, if no number is free on all of them, or if threads kept
// being in each other's way. Where the MPI fails, ranks may differ: a rank that it failed on gets a status.
[[nodiscard]] AgreedId agree_on_id(const Native& mpi, MPI_Comm comm, IdPool& pool, bool able);

}  // namespace espalier
