// SPDX-License-Identifier: Apache-2.0
// Communicators by the thousand: made, used once and freed; and very many alive at once.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 3 communicators [made [alive]]
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/memory.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr int max_elements = 100;

// Different subsets each time; null on a rank that is in none.
MPI_Comm make_communicator(int number, const Member& world) {
  MPI_Comm comm;
  const int group =
      number % 3 == 1 ? (world.rank + number) % 2 : (world.rank == number % world.size ? MPI_UNDEFINED : 0);
  if (number % 3 == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  } else {
    MPI_Comm_split(MPI_COMM_WORLD, group, number % 2 == 0 ? world.rank : -world.rank, &comm);
  }
  return comm;
}

void use(MPI_Comm comm, int number) {
  if (comm != MPI_COMM_NULL) make_known_call(Member(comm), static_cast<std::uint64_t>(number), max_elements);
}

// Returns by how much the process has grown since a tenth of them was done.
std::size_t make_use_and_free(int count, const Member& world) {
  std::size_t early_bytes = 0;
  for (int number = 0; number < count; ++number) {
    now_doing("communicator " + std::to_string(number));
    if (number == count / 10) early_bytes = resident_bytes();
    MPI_Comm comm = make_communicator(number, world);
    use(comm, number);
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  const std::size_t late_bytes = resident_bytes();
  return late_bytes > early_bytes ? late_bytes - early_bytes : 0;
}

void make_all_then_free(int count, const Member& world) {
  std::vector<MPI_Comm> comms;
  for (int number = 0; number < count; ++number) {
    now_doing("communicator " + std::to_string(number) + " of those alive at once");
    comms.push_back(make_communicator(number, world));
    use(comms.back(), number);
  }
  for (int number = 0; number < count; ++number) use(comms[number], number + 1);
  for (MPI_Comm& comm : comms) {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
}

int run(const Arguments& arguments) {
  const auto made = static_cast<int>(arguments.number(1, 10000)), alive = static_cast<int>(arguments.number(2, 1200));
  const Member world(MPI_COMM_WORLD);
  if (const std::string error = force(own_algorithms(0)); !error.empty()) fail(error);
  const std::size_t growth = make_use_and_free(made, world);
  make_all_then_free(alive, world);
  const CallCounts counted = all_calls();
  return conclude("\"made\": " + std::to_string(made) + ", \"alive\": " + std::to_string(alive) +
                  ", \"own\": " + std::to_string(counted.own) + ", \"native\": " + std::to_string(counted.native) +
                  ", \"growth_bytes\": " + std::to_string(growth));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
