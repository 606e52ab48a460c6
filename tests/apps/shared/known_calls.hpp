// SPDX-License-Identifier: Apache-2.0
// Collectives whose results every rank can tell beforehand, for programs that make very many of them.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace espalier::apps {

struct Member {
  MPI_Comm comm = MPI_COMM_NULL;
  int size = 0;
  int rank = 0;

  explicit Member(MPI_Comm which) : comm(which) {
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
  }
};

// Makes one collective call whose kind, root, length and values follow from `number`, and says what is wrong with its
// result. All members call it with equal arguments. No message is longer than `max_elements`.
void make_known_call(const Member& member, std::uint64_t number, int max_elements);

}  // namespace espalier::apps
