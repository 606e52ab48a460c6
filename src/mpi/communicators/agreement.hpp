// SPDX-License-Identifier: Apache-2.0
// How the ranks of a communicator come to give it the same number.
#pragma once

#include <optional>

#include "mpi/communicators/id_pool.hpp"
#include "native/native.hpp"

namespace espalier {

// Whether the ranks came from one and the same occasion.
enum class Encounter : std::uint8_t {
  as_one,
  from_several,   // all are here, on different occasions
  not_even_here,  // some are in a call of the application's
};

struct AgreedId {
  std::optional<int> id;
  Encounter encounter = Encounter::as_one;
  int status = MPI_SUCCESS;  // of the native call that failed, if one did
};

// Collective over `comm`, on which it makes native calls, with one `occasion` on all ranks. All ranks get the same
// number, which none of them has in use, or all get nothing: if some rank is not able to use one, if no number is free
// on all of them, or if threads kept being in each other's path. Where the MPI fails, ranks may differ: a rank that it
// failed on gets a status.
[[nodiscard]] AgreedId agree_on_id(const Native& mpi, MPI_Comm comm, IdPool& pool, bool able,
                                   std::uint64_t occasion = 0);

}  // namespace espalier
