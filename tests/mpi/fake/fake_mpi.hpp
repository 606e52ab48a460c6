// SPDX-License-Identifier: Apache-2.0
// A small MPI in this process, for tests of what stands on the table of native functions. It keeps what Espalier relies
// on: communicators with attributes and error handlers, datatypes, messages, and collectives. Its ranks are threads
// that take turns (turns.hpp). Handles and constants are those of MPICH's mpi.h. What it does not know ends the
// program.
//
// MPI_ERRORS_ARE_FATAL throws JobEnded, so that a test can go on.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "fake/turns.hpp"
#include "native/native.hpp"

namespace espalier::fake {

// Begins again, with ranks 0 to size - 1 in MPI_COMM_WORLD.
void start(Rank size);

// The same, as the first member of a test's fixture.
struct Started {
  explicit Started(Rank size) { start(size); }
};

// All functions. A test may put others into its copy.
[[nodiscard]] Native functions();

// A table of such functions for one rank: they speak for it, whichever thread calls them.
[[nodiscard]] Native functions_of(Rank rank, const Native& table);

struct JobEnded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An error as this MPI's functions return it; its class is `error_class`.
[[nodiscard]] int code_of(int error_class);
// The codes that error handlers were called with on this rank, since this was last asked.
[[nodiscard]] std::vector<int> take_raised();
// An error handler of the application's.
[[nodiscard]] MPI_Errhandler make_handler(std::function<void(MPI_Comm, int)> work);

// Communicators without a collective call: of those ranks of the world, or beyond it.
[[nodiscard]] MPI_Comm make_communicator(std::vector<int> world_ranks);
[[nodiscard]] MPI_Comm make_intercommunicator(std::vector<int> local, std::vector<int> remote);

[[nodiscard]] MPI_Op make_operation(MPI_User_function* function, bool commutes);

// Not committed. For what is not in the table.
[[nodiscard]] MPI_Datatype make_vector(int count, int block_length, int stride, MPI_Datatype type);

// How much there is that somebody has to free, or receive.
struct Remains {
  std::size_t datatypes = 0, groups = 0, requests = 0, messages = 0;
  friend bool operator==(const Remains&, const Remains&) = default;
};
[[nodiscard]] Remains remains();

void set_thread_level(int level);

}  // namespace espalier::fake
