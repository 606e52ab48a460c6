// SPDX-License-Identifier: Apache-2.0
#include "differential/job.hpp"

namespace espalier::apps {

namespace {

Group make_group(std::string name, MPI_Comm comm) {
  Group group{std::move(name), comm};
  if (!group.has_me()) return group;
  MPI_Comm_size(comm, &group.size);
  MPI_Comm_rank(comm, &group.rank);
  return group;
}

MPI_Comm split(MPI_Comm comm, int color, int key) {
  MPI_Comm part;
  MPI_Comm_split(comm, color, key, &part);
  return part;
}

MPI_Comm duplicate(MPI_Comm comm) {
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  return copy;
}

}  // namespace

std::vector<Group> make_groups() {
  const Group world = make_group("WORLD", MPI_COMM_WORLD);
  const int upper_half = world.rank >= world.size / 2 ? 0 : MPI_UNDEFINED;
  const MPI_Comm parity = split(MPI_COMM_WORLD, world.rank % 2, world.rank);
  return {
      world,
      make_group("duplicate of WORLD", duplicate(MPI_COMM_WORLD)),
      make_group("WORLD backwards", split(MPI_COMM_WORLD, 0, -world.rank)),
      make_group("odd or even ranks", parity),
      make_group("duplicate of odd or even ranks", duplicate(parity)),
      make_group("upper half", split(MPI_COMM_WORLD, upper_half, world.rank)),
  };
}

void free_groups(std::vector<Group>& groups) {
  for (Group& group : groups) {
    if (group.has_me() && group.comm != MPI_COMM_WORLD) MPI_Comm_free(&group.comm);
  }
}

}  // namespace espalier::apps
