// SPDX-License-Identifier: Apache-2.0
// Parents and the children that they spawn: calls between them, and among all of them in one communicator. These are
// the native MPI's, since each side knows itself only; whatever Espalier does in the worlds of both sides.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 2 spawn
#include <array>
#include <filesystem>
#include <string>

#include "shared/between_groups.hpp"
#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr int children = 2;

MPI_Comm spawn() {
  MPI_Comm both;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  MPI_Comm_spawn(program.c_str(), MPI_ARGV_NULL, children, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both,
                 MPI_ERRCODES_IGNORE);
  return both;
}

void use_merged(const Member& everybody) {
  const CallCounts before = all_calls();
  for (int k = 0; k < 2; ++k) make_each_call(everybody, static_cast<std::uint64_t>(k));
  if (all_calls().own != before.own) fail("calls among parents and children must be native");
}

int run(const Arguments&) {
  MPI_Comm both, merged;
  MPI_Comm_get_parent(&both);
  const bool is_child = both != MPI_COMM_NULL;
  now_doing(is_child ? "a child" : "a parent");
  if (!is_child) both = spawn();
  if (const std::string error = force(own_algorithms(0)); !error.empty()) fail(error);
  const Member world(MPI_COMM_WORLD);
  make_each_call(world, 1);
  make_calls_between_groups(both, is_child ? 0 : world.rank == 0 ? MPI_ROOT : MPI_PROC_NULL);
  MPI_Intercomm_merge(both, is_child ? 1 : 0, &merged);
  use_merged(Member(merged));
  make_each_call(world, 2);

  std::array<unsigned long, 2> failures{is_child ? failures_here() : 0, 0};
  native_mpi().Allreduce(&failures[0], &failures[1], 1, MPI_UNSIGNED_LONG, MPI_SUM, merged);
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&both);
  if (is_child) return 0;
  if (failures[1] > 0) fail("children found " + std::to_string(failures[1]) + " failures");
  return conclude("\"own\": " + std::to_string(all_calls().own));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
