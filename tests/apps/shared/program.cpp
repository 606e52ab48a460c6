// SPDX-License-Identifier: Apache-2.0
#include "shared/program.hpp"

#include <mpi.h>

#include <cstdlib>

#include "shared/failures.hpp"

namespace espalier::apps {

std::uint64_t Arguments::number(int place, std::uint64_t otherwise) const {
  return place < argc_ ? std::strtoull(argv_[place], nullptr, 10) : otherwise;
}

int run_program(int argc, char** argv, int (*run)(const Arguments&), int thread_level) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, thread_level, &provided);
  if (provided < thread_level) fail("this MPI does not take as many threads");
  const int status = run({argc, argv});
  MPI_Finalize();
  return status;
}

int run_program(int argc, char** argv, int (*run)(const Arguments&)) {
  return run_program(argc, argv, run, MPI_THREAD_SINGLE);
}

}  // namespace espalier::apps
