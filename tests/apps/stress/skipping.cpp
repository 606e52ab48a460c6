// SPDX-License-Identifier: Apache-2.0
// Nonblocking exchanges that only the ranks with neighbours begin, as PETSc does, more often than a communicator's tags
// last: whatever ranks agree on must be agreed on when the communicator is made.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 3 skipping [calls]
#include <mpi.h>

#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"

namespace espalier::apps {

namespace {

constexpr int length = 3000;

// The first two ranks are each other's neighbours.
MPI_Comm make_graph(int rank) {
  const int degree = rank < 2 ? 1 : 0, peer = 1 - rank, weight = 1;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, &peer, &weight, degree, &peer, &weight, MPI_INFO_NULL, 0,
                                 &made);
  return made;
}

void exchange(MPI_Comm comm, int rank, int calls) {
  std::vector<int> sent(length), received(length);
  constexpr int count = length, place = 0;
  for (int call = 0; call < calls; ++call) {
    sent.front() = sent.back() = 2 * call + rank;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_alltoallv(sent.data(), &count, &place, MPI_INT, received.data(), &count, &place, MPI_INT, comm,
                            &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const int expected = 2 * call + 1 - rank;
    if (received.front() != expected || received.back() != expected) return fail("call " + std::to_string(call));
  }
}

int run(const Arguments& arguments) {
  const auto calls = static_cast<int>(arguments.number(1, 5000));
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  now_doing(std::to_string(calls) + " calls");
  MPI_Comm comm = make_graph(rank);
  if (rank < 2) exchange(comm, rank, calls);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
  return conclude("\"calls\": " + std::to_string(calls));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
