// SPDX-License-Identifier: Apache-2.0
#include "differential/groups.hpp"

#include <algorithm>
#include <stdexcept>

namespace espalier::apps {

namespace {

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

MPI_Comm make_cartesian(int size) {
  const int dimensions[] = {size};
  const int periodic[] = {1};
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dimensions, periodic, 0, &comm);
  return comm;
}

// Everybody's neighbour is the next one.
MPI_Comm make_graph(int rank, int size) {
  const int from = (rank + size - 1) % size, to = (rank + 1) % size;
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &comm);
  return comm;
}

// Between the lower half of the ranks, and the upper one.
MPI_Comm make_between(int rank, int size) {
  const bool is_upper = rank >= size / 2;
  MPI_Comm half = split(MPI_COMM_WORLD, is_upper ? 1 : 0, rank), comm;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_upper ? 0 : size / 2, 1, &comm);
  MPI_Comm_free(&half);
  return comm;
}

}  // namespace

Groups::Groups() {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  add("world", MPI_COMM_WORLD);
  add("copy", duplicate(MPI_COMM_WORLD));
  add("backwards", split(MPI_COMM_WORLD, 0, -rank));
  add("odd_even", split(MPI_COMM_WORLD, rank % 2, rank));
  add("odd_even_copy", duplicate(named("odd_even").comm));
  add("upper_half", split(MPI_COMM_WORLD, rank >= size / 2 ? 0 : MPI_UNDEFINED, rank));
  add("self", MPI_COMM_SELF);
  add("cartesian", make_cartesian(size));
  add("graph", make_graph(rank, size));
  if (size > 1) add("between", make_between(rank, size));
}

Groups::~Groups() {
  for (Group& group : groups_) {
    if (group.has_me() && group.comm != MPI_COMM_WORLD && group.comm != MPI_COMM_SELF) MPI_Comm_free(&group.comm);
  }
}

const Group& Groups::named(const std::string& name) const {
  const auto found = std::ranges::find(groups_, name, &Group::name);
  if (found == groups_.end()) throw std::invalid_argument("no such communicator: " + name);
  return *found;
}

int Groups::fewest_ranks(const std::string& name, int world_size) {
  if (name == "self") return 1;
  if (name == "between") return 0;
  if (name == "upper_half") return world_size - world_size / 2;
  return name.starts_with("odd_even") ? world_size / 2 : world_size;
}

void Groups::add(const std::string& name, MPI_Comm comm) {
  Group group{.name = name, .comm = comm};
  if (group.has_me()) {
    int between_groups = 0;
    MPI_Comm_size(comm, &group.size);
    MPI_Comm_rank(comm, &group.rank);
    MPI_Comm_test_inter(comm, &between_groups);
    if (between_groups != 0) MPI_Comm_remote_size(comm, &group.remote_size);
    group.is_receiving = between_groups != 0 && named("world").rank >= named("world").size / 2;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  groups_.push_back(group);
}

}  // namespace espalier::apps
