// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/process_grid.hpp"

namespace espalier {

namespace {

halo::ProcessGrid own_grid(const Native& mpi, MPI_Comm comm) {
  int dimensions = 0;
  if (mpi.Cartdim_get(comm, &dimensions) != MPI_SUCCESS || dimensions < 1) return {};
  const auto count = static_cast<std::size_t>(dimensions);
  halo::ProcessGrid grid{.sizes = std::vector<int>(count)};
  std::vector<int> is_periodic(count), own_place(count);
  const int status = mpi.Cart_get(comm, dimensions, grid.sizes.data(), is_periodic.data(), own_place.data());
  return status == MPI_SUCCESS ? grid : halo::ProcessGrid{};
}

bool have_same_order(const Native& mpi, MPI_Comm one, MPI_Comm other) {
  int likeness = MPI_UNEQUAL;
  return mpi.Comm_compare(one, other, &likeness) == MPI_SUCCESS && likeness == MPI_CONGRUENT;
}

}  // namespace

int topology_of(const Native& mpi, MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  return mpi.Topo_test(comm, &kind) == MPI_SUCCESS ? kind : MPI_UNDEFINED;
}

halo::ProcessGrid find_process_grid(const Native& mpi, MPI_Comm comm, MPI_Comm parent) {
  const int kind = topology_of(mpi, comm);
  if (kind == MPI_CART) return own_grid(mpi, comm);
  const bool is_graph_on_grid =
      kind != MPI_UNDEFINED && parent != MPI_COMM_NULL && topology_of(mpi, parent) == MPI_CART;
  return is_graph_on_grid && have_same_order(mpi, comm, parent) ? own_grid(mpi, parent) : halo::ProcessGrid{};
}

}  // namespace espalier
