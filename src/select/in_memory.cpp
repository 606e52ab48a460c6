// SPDX-License-Identifier: Apache-2.0
#include "select/in_memory.hpp"

#include <limits>
#include <span>
#include <string_view>

#include "algorithms/unfit.hpp"
#include "contract/contract.hpp"

namespace espalier {

namespace {

// From that size on, until the next row of the collective.
struct MemoryRow {
  Collective collective;
  std::size_t min_bytes;
  std::string_view algorithm;
};

constexpr std::string_view native_mpi;

// Two ranks: both copy a long message at once, so it is not cut, and the arithmetic of a long sum is divided between
// them.
constexpr MemoryRow rows_of_two[] = {
    {Collective::barrier, 0, "dissemination"},
    {Collective::bcast, 0, "linear"},
    {Collective::reduce, 0, "binomial"},
    {Collective::reduce, 256 << 10, "rabenseifner"},
    {Collective::allreduce, 0, "recursive_doubling"},
    {Collective::allreduce, 128 << 10, "circulant"},
    {Collective::allgather, 0, "circulant"},
    {Collective::alltoall, 0, "pairwise"},
    {Collective::reduce_scatter, 0, "circulant"},
    {Collective::gather, 0, "linear"},
    {Collective::scatter, 0, "linear"},
    {Collective::scan, 0, "chain"},
    {Collective::exscan, 0, "chain"},
};

// Any number of ranks that share processors, under an MPI that keeps its own while it waits: then calls take as long as
// the system's turns. Where two rows of a collective fit, the last one counts.
constexpr MemoryRow rows_of_a_crowd[] = {
    {Collective::barrier, 0, "dissemination"},
    {Collective::bcast, 0, "binary"},
    {Collective::bcast, 64 << 10, "scatter_allgather"},
    {Collective::reduce, 0, "binomial"},
    {Collective::allreduce, 0, "recursive_doubling"},
    {Collective::allreduce, 8 << 10, "rabenseifner"},
    {Collective::allgather, 0, "circulant"},
    {Collective::allgather, 0, "neighbor_exchange"},
    {Collective::allgather, 256 << 10, native_mpi},
    {Collective::alltoall, 0, "ring"},
    {Collective::alltoall, 4 << 10, "pairwise"},
    {Collective::reduce_scatter, 0, "circulant"},
    {Collective::gather, 0, "knomial"},
    {Collective::scatter, 0, "knomial"},
    {Collective::scan, 0, "recursive_doubling"},
    {Collective::exscan, 0, "recursive_doubling"},
};

// Under one that yields, short calls are as fast natively.
constexpr MemoryRow rows_of_a_yielding_crowd[] = {
    {Collective::bcast, 64 << 10, "scatter_allgather"},
    {Collective::reduce, 256 << 10, "binomial"},
    {Collective::allreduce, 8 << 10, "rabenseifner"},
    {Collective::gather, 256 << 10, "knomial"},
};

std::span<const MemoryRow> rows_for(const Shape& shape) {
  if (!shape.in_memory) return {};
  if (shape.size == 2) return rows_of_two;
  if (!shape.is_crowded) return {};
  return shape.mpi_yields ? std::span<const MemoryRow>(rows_of_a_yielding_crowd) : rows_of_a_crowd;
}

// Where not all ranks know the sizes, they may not choose by them: what suits long messages is never far too slow.
const Algorithm* algorithm_for(const Problem& problem, const Shape& shape) {
  const std::size_t bytes = problem.is_uneven ? std::numeric_limits<std::size_t>::max() : problem.bytes();
  const Algorithm* found = nullptr;
  for (const MemoryRow& row : rows_for(shape)) {
    if (row.collective != problem.collective || row.min_bytes > bytes) continue;
    const Algorithm* const algorithm = find_algorithm(row.collective, row.algorithm);
    if (algorithm == nullptr || unfit_for(*algorithm, problem, shape) == nullptr) found = algorithm;
  }
  return found;
}

}  // namespace

// Where the MPI adds, its own messages carry it.
std::optional<Choice> choice_in_memory(const Problem& problem, const Shape& shape) {
  if (contract_of(problem.collective).reduces && !problem.by_kernel) return {};
  const Algorithm* const algorithm = algorithm_for(problem, shape);
  if (algorithm == nullptr) return {};
  return Choice{.algorithm = algorithm,
                .cut = {.segment_bytes = 0, .window = default_cut.window},
                .transport = shape.default_transport(),
                .reason = "shared memory: as measured"};
}

}  // namespace espalier
