// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "native.hpp"

namespace bench {

Position position_in(MPI_Comm comm) {
  Position position;
  MPI_Comm_rank(comm, &position.rank);
  MPI_Comm_size(comm, &position.ranks);
  return position;
}

void say(const std::string& what) { std::fprintf(stderr, "%s\n", what.c_str()); }

void require_right(bool is_right, const std::string& variant, MPI_Comm comm) {
  int wrong = is_right ? 0 : 1;
  native().Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
  if (wrong > 0) throw std::runtime_error(variant + ": wrong result on " + std::to_string(wrong) + " ranks");
}

int run_program(const char* name, int argc, char** argv, void (*run)(int argc, char** argv)) {
  int provided = 0;
  MPI_Init(&argc, &argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}

}  // namespace bench
