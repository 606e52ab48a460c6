// SPDX-License-Identifier: Apache-2.0
// The functions by which an application makes communicators, where their ranks have to agree on something before a
// function needs it that must not wait for others: persistent messages that are paired (ESPALIER_PERSISTENT), and
// nonblocking exchanges with neighbours.
#include "mpi/functions/comm_creation.hpp"

#include <optional>

#include "core/log.hpp"
#include "mpi/call/reasons.hpp"
#include "mpi/calls/enter.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/communicators/process_grid.hpp"
#include "mpi/neighbours/meeting.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

// `make(native)` makes it from `comm`, as the application has asked for. `kind`: its topology, if that is not the one
// of `comm`.
template <class Make>
int create(MPI_Comm comm, MPI_Comm* made, const void* caller, Make make, std::optional<int> kind = {}) {
  const int status = make(context->job.mpi);
  if (status == MPI_SUCCESS && is_to_be_looked_at(caller)) get_to_know(*made, comm, kind);
  return status;
}

#define CALLER __builtin_return_address(0)

int entry_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  return create(comm, made, CALLER, [&](const Native& mpi) { return mpi.Comm_dup(comm, made); });
}

int entry_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
  return create(comm, made, CALLER, [&](const Native& mpi) { return mpi.Comm_dup_with_info(comm, info, made); });
}

int entry_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  return create(comm, made, CALLER, [&](const Native& mpi) { return mpi.Comm_create(comm, group, made); });
}

int entry_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  return create(comm, made, CALLER, [&](const Native& mpi) { return mpi.Comm_create_group(comm, group, tag, made); });
}

int entry_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  return create(comm, made, CALLER, [&](const Native& mpi) { return mpi.Comm_split(comm, color, key, made); });
}

int entry_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  return create(comm, made, CALLER,
                [&](const Native& mpi) { return mpi.Comm_split_type(comm, type, key, info, made); });
}

int entry_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder,
                      MPI_Comm* made) {
  return create(
      comm, made, CALLER,
      [&](const Native& mpi) { return mpi.Cart_create(comm, dimensions, sizes, periods, reorder, made); }, MPI_CART);
}

int entry_Cart_sub(MPI_Comm comm, const int kept[], MPI_Comm* made) {
  return create(comm, made, CALLER, [&](const Native& mpi) { return mpi.Cart_sub(comm, kept, made); });
}

int entry_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made) {
  return create(
      comm, made, CALLER, [&](const Native& mpi) { return mpi.Graph_create(comm, nodes, index, edges, reorder, made); },
      MPI_GRAPH);
}

int entry_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
                            const int weights[], MPI_Info info, int reorder, MPI_Comm* made) {
  return create(
      comm, made, CALLER,
      [&](const Native& mpi) {
        return mpi.Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, made);
      },
      MPI_DIST_GRAPH);
}

int entry_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[], const int weights_in[], int out,
                                     const int destinations[], const int weights_out[], MPI_Info info, int reorder,
                                     MPI_Comm* made) {
  return create(
      comm, made, CALLER,
      [&](const Native& mpi) {
        return mpi.Dist_graph_create_adjacent(comm, in, sources, weights_in, out, destinations, weights_out, info,
                                              reorder, made);
      },
      MPI_DIST_GRAPH);
}

#undef CALLER

const Entries creation_entries({
    entry("MPI_Comm_dup", entry_Comm_dup),
    entry("MPI_Comm_dup_with_info", entry_Comm_dup_with_info),
    entry("MPI_Comm_create", entry_Comm_create),
    entry("MPI_Comm_create_group", entry_Comm_create_group),
    entry("MPI_Comm_split", entry_Comm_split),
    entry("MPI_Comm_split_type", entry_Comm_split_type),
    entry("MPI_Cart_create", entry_Cart_create),
    entry("MPI_Cart_sub", entry_Cart_sub),
    entry("MPI_Graph_create", entry_Graph_create),
    entry("MPI_Dist_graph_create", entry_Dist_graph_create),
    entry("MPI_Dist_graph_create_adjacent", entry_Dist_graph_create_adjacent),
});

// Open MPI 5 takes a distributed graph for what it was made from, and then reads one thing as the other: its functions
// for grids crash. So nobody may ask it about that communicator, or about what is made from it.
bool is_taken_for_another(int kind, MPI_Comm parent, std::optional<int> made_as) {
  if (made_as) return kind != *made_as;
  const Communicator* const from = parent != MPI_COMM_NULL ? context->communicators.find(parent) : nullptr;
  return from != nullptr && static_cast<const PreparedCommunicator*>(from)->neighbours_refused == why::other_topology;
}

}  // namespace

bool pairs_are_wanted() {
  const Job& job = context->job;
  return job.settings.paired && job.fabric != nullptr && requests().are_possible;
}

void get_to_know(MPI_Comm comm, MPI_Comm parent, std::optional<int> made_as) {
  if (comm == MPI_COMM_NULL || context->job.fabric == nullptr) return;
  const int kind = topology_of(context->job.mpi, comm);
  const bool has_neighbours = kind != MPI_UNDEFINED, is_another = is_taken_for_another(kind, parent, made_as);
  if (!has_neighbours && !pairs_are_wanted()) return;
  Communicators::Found found;
  try {
    found = context->communicators.find_or_add(comm);
    if (found.communicator != nullptr && !is_another)
      found.communicator->set_grid(find_process_grid(context->job.mpi, comm, parent));
  } catch (const std::exception& error) {
    log_line("a new communicator is of no use to rank %d, and others may wait for it: %s", context->job.world_rank,
             error.what());
  }
  if (found.communicator == nullptr) return;
  auto& communicator = static_cast<PreparedCommunicator&>(*found.communicator);
  if (is_another) communicator.neighbours_refused = why::other_topology;
  if (pairs_are_wanted()) (void)communicator.make_pairs();
  if (has_neighbours) (void)meet_neighbours(communicator, {});
}

}  // namespace espalier
