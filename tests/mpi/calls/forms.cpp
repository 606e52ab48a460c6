// SPDX-License-Identifier: Apache-2.0
#include "calls/forms.hpp"

#include <algorithm>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

using enum Collective;
using With = const Arguments&;

// A function with these arguments, which may speak of Count and Displacement.
#define FORM(collective, function, is_uneven, A_count, A_displacement, ...) \
  {"MPI_" #function, collective,                                            \
   [](With w) {                                                             \
     using Count [[maybe_unused]] = A_count;                                \
     using Displacement [[maybe_unused]] = A_displacement;                  \
     return ESPALIER_ENTRY(MPI_##function)(__VA_ARGS__);                    \
   },                                                                       \
   is_uneven},
#define FORMS(collective, function, is_uneven, ...)            \
  FORM(collective, function, is_uneven, int, int, __VA_ARGS__) \
  FORM(collective, function##_c, is_uneven, MPI_Count, MPI_Aint, __VA_ARGS__)

// Collective, name, name of the nonblocking form, whether its blocks are uneven, arguments.
#define FUNCTIONS(F)                                                                                                   \
  F(bcast, Bcast, Ibcast, false, w.output, w.count, w.type, w.root, w.comm)                                            \
  F(reduce, Reduce, Ireduce, false, w.input, w.output, w.count, w.type, w.op, w.root, w.comm)                          \
  F(allreduce, Allreduce, Iallreduce, false, w.input, w.output, w.count, w.type, w.op, w.comm)                         \
  F(scan, Scan, Iscan, false, w.input, w.output, w.count, w.type, w.op, w.comm)                                        \
  F(exscan, Exscan, Iexscan, false, w.input, w.output, w.count, w.type, w.op, w.comm)                                  \
  F(reduce_scatter, Reduce_scatter, Ireduce_scatter, true, w.input, w.output, w.as<Count>(w.sent.counts), w.type,      \
    w.op, w.comm)                                                                                                      \
  F(gather, Gather, Igather, false, w.input, w.count, w.type, w.output, w.count, w.type, w.root, w.comm)               \
  F(gather, Gatherv, Igatherv, true, w.input, w.sent.counts[0], w.type, w.output, w.as<Count>(w.received.counts),      \
    w.as<Displacement>(w.received.displacements), w.type, w.root, w.comm)                                              \
  F(scatter, Scatter, Iscatter, false, w.input, w.count, w.type, w.output, w.count, w.type, w.root, w.comm)            \
  F(scatter, Scatterv, Iscatterv, true, w.input, w.as<Count>(w.sent.counts), w.as<Displacement>(w.sent.displacements), \
    w.type, w.output, w.received.counts[0], w.type, w.root, w.comm)                                                    \
  F(reduce_scatter, Reduce_scatter_block, Ireduce_scatter_block, false, w.input, w.output, w.count, w.type, w.op,      \
    w.comm)                                                                                                            \
  F(allgather, Allgather, Iallgather, false, w.input, w.count, w.type, w.output, w.count, w.type, w.comm)              \
  F(alltoall, Alltoall, Ialltoall, false, w.input, w.count, w.type, w.output, w.count, w.type, w.comm)                 \
  F(allgather, Allgatherv, Iallgatherv, true, w.input, w.sent.counts[0], w.type, w.output,                             \
    w.as<Count>(w.received.counts), w.as<Displacement>(w.received.displacements), w.type, w.comm)                      \
  F(alltoall, Alltoallw, Ialltoallw, true, w.input, w.as<Count>(w.sent.counts),                                        \
    w.as<Displacement>(w.in_bytes(w.sent.displacements)), w.types(w.sent), w.output, w.as<Count>(w.received.counts),   \
    w.as<Displacement>(w.in_bytes(w.received.displacements)), w.types(w.received), w.comm)                             \
  F(alltoall, Alltoallv, Ialltoallv, true, w.input, w.as<Count>(w.sent.counts),                                        \
    w.as<Displacement>(w.sent.displacements), w.type, w.output, w.as<Count>(w.received.counts),                        \
    w.as<Displacement>(w.received.displacements), w.type, w.comm)

#define NEIGHBOUR_FUNCTIONS(F)                                                                                      \
  F(allgather, Neighbor_allgather, Ineighbor_allgather, false, w.input, w.count, w.type, w.output, w.count, w.type, \
    w.comm)                                                                                                         \
  F(alltoall, Neighbor_alltoall, Ineighbor_alltoall, false, w.input, w.count, w.type, w.output, w.count, w.type,    \
    w.comm)                                                                                                         \
  F(allgather, Neighbor_allgatherv, Ineighbor_allgatherv, true, w.input, w.sent.counts[0], w.type, w.output,        \
    w.as<Count>(w.received.counts), w.as<Displacement>(w.received.displacements), w.type, w.comm)                   \
  F(alltoall, Neighbor_alltoallv, Ineighbor_alltoallv, true, w.input, w.as<Count>(w.sent.counts),                   \
    w.as<Displacement>(w.sent.displacements), w.type, w.output, w.as<Count>(w.received.counts),                     \
    w.as<Displacement>(w.received.displacements), w.type, w.comm)                                                   \
  F(alltoall, Neighbor_alltoallw, Ineighbor_alltoallw, true, w.input, w.as<Count>(w.sent.counts), w.places(w.sent), \
    w.types(w.sent), w.output, w.as<Count>(w.received.counts), w.places(w.received), w.types(w.received), w.comm)

#define BLOCKING(collective, Name, IName, is_uneven, ...) FORMS(collective, Name, is_uneven, __VA_ARGS__)
#define NONBLOCKING(collective, Name, IName, is_uneven, ...) FORMS(collective, IName, is_uneven, __VA_ARGS__, w.request)
#define PERSISTENT(collective, Name, IName, is_uneven, ...) \
  FORMS(collective, Name##_init, is_uneven, __VA_ARGS__, MPI_INFO_NULL, w.request)

const Form blocking[] = {FORM(barrier, Barrier, false, int, int, w.comm) FUNCTIONS(BLOCKING)};
const Form nonblocking[] = {FORM(barrier, Ibarrier, false, int, int, w.comm, w.request) FUNCTIONS(NONBLOCKING)};
const Form persistent[] = {FORM(barrier, Barrier_init, false, int, int, w.comm, MPI_INFO_NULL, w.request)
                               FUNCTIONS(PERSISTENT)};

const Form blocking_neighbours[] = {NEIGHBOUR_FUNCTIONS(BLOCKING)};
const Form nonblocking_neighbours[] = {NEIGHBOUR_FUNCTIONS(NONBLOCKING)};
const Form persistent_neighbours[] = {NEIGHBOUR_FUNCTIONS(PERSISTENT)};

}  // namespace

void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

std::string some_algorithms() {
  std::string all;
  for (const Collective collective : all_collectives) {
    const auto one = std::ranges::find_if(registry(), [&](const Algorithm& algorithm) {
      return algorithm.collective == collective && algorithm.needs == Needs::nothing;
    });
    all += (all.empty() ? "" : ";") + std::string(name_of(collective)) + ":" + std::string(one->name);
  }
  return all;
}

std::span<const Form> blocking_forms() { return blocking; }
std::span<const Form> nonblocking_forms() { return nonblocking; }
std::span<const Form> persistent_forms() { return persistent; }
std::span<const Form> blocking_neighbour_forms() { return blocking_neighbours; }
std::span<const Form> nonblocking_neighbour_forms() { return nonblocking_neighbours; }
std::span<const Form> persistent_neighbour_forms() { return persistent_neighbours; }

}  // namespace espalier
