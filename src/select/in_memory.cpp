// SPDX-License-Identifier: Apache-2.0
#include "select/in_memory.hpp"

#include <algorithm>

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

// Two ranks: both copy a long message at once, so it is not cut, and a sum is shared out where that is worth another
// message.
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

// Where not all ranks know the sizes, they may not choose by them.
const MemoryRow* row_for(const Problem& problem) {
  const std::size_t bytes = problem.is_uneven ? 0 : problem.bytes();
  const MemoryRow* found = nullptr;
  for (const MemoryRow& row : rows_of_two) {
    if (row.collective == problem.collective && row.min_bytes <= bytes) found = &row;
  }
  return found;
}

}  // namespace

// Where the MPI adds, its own messages carry it.
std::optional<Choice> choice_in_memory(const Problem& problem, const Shape& shape) {
  if (!shape.in_memory || shape.size != 2) return {};
  if (contract_of(problem.collective).reduces && !problem.by_kernel) return {};
  const MemoryRow* const row = row_for(problem);
  if (row == nullptr) return {};
  const Algorithm* const algorithm = find_algorithm(row->collective, row->algorithm);
  if (algorithm == nullptr || unfit_for(*algorithm, problem, shape) != nullptr) return {};
  return Choice{.algorithm = algorithm,
                .cut = {.segment_bytes = 0, .window = default_cut.window},
                .transport = shape.default_transport(),
                .reason = "shared memory: as measured"};
}

}  // namespace espalier
