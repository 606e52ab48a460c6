// SPDX-License-Identifier: Apache-2.0
// What programs that measure under an MPI have in common: how they begin and end, and what ranks exchange and
// the user. With options.hpp, stopwatch.hpp and json.hpp they are a table of options, what is measured, and its rows.
#pragma once

#include <mpi.h>

#include <string>

namespace bench {

// A rank among this many.
struct Position {
  int rank = 0, ranks = 1;
};
[[nodiscard]] Position position_in(MPI_Comm comm);

// A line on standard error: what is being measured.
void say(const std::string& what);

// Collective, past Espalier. Throws std::runtime_error on all ranks if the result is wrong on any.
void require_right(bool is_right, const std::string& variant, MPI_Comm comm);

// A program's main(): run(argc, argv) between MPI_Init and MPI_Finalize, with control variables (MPI_T). If that throws
// anywhere, the whole job ends, with what went wrong under the program's name.
int run_program(const char* name, int argc, char** argv, void (*run)(int argc, char** argv));

}  // namespace bench
