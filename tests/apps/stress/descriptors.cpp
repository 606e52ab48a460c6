// SPDX-License-Identifier: Apache-2.0
// A rank whose application takes all file descriptors before its first call: no connection can be made then. The call
// ends with an error there, and is right once there are some again.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 2 descriptors
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/member.hpp"
#include "shared/program.hpp"

namespace espalier::apps {

namespace {

constexpr int count = 1 << 16;

std::vector<int> take_all() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, 256);
  setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<int> taken;
  for (int one = open("/dev/null", O_RDONLY); one >= 0; one = open("/dev/null", O_RDONLY)) taken.push_back(one);
  return taken;
}

bool is_right(const Member& world, char filling, int* status) {
  std::vector<char> buffer(count, world.rank == 0 ? filling : '-');
  *status = MPI_Bcast(buffer.data(), count, MPI_CHAR, 0, world.comm);
  return *status != MPI_SUCCESS || buffer == std::vector<char>(count, filling);
}

int run(const Arguments&) {
  const Member world(MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(world.comm, MPI_ERRORS_RETURN);
  std::vector<int> taken;
  if (world.rank == 0) taken = take_all();
  const double begun = MPI_Wtime();
  int status = MPI_SUCCESS;
  if (!is_right(world, 'a', &status)) fail("a wrong broadcast");
  const double seconds = MPI_Wtime() - begun;
  for (const int one : taken) close(one);
  int errors = status != MPI_SUCCESS, all_errors = 0;
  MPI_Reduce(&errors, &all_errors, 1, MPI_INT, MPI_SUM, 0, world.comm);
  return conclude("\"errors\": " + std::to_string(all_errors) + ", \"seconds\": " + std::to_string(seconds));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
