// SPDX-License-Identifier: Apache-2.0
// Compares the collectives of an MPI program under Espalier with those of the native MPI: results of every algorithm,
// for datatypes, operations, counts, roots and communicators of all kinds. An ordinary MPI program: it is told nothing
// but what is preloaded.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 5 differential [brief|pairs|triples [seed]]
//
// Prints a line for each failure and ends with a JSON object.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "contract/contract.hpp"
#include "differential/operands.hpp"
#include "differential/trials.hpp"
#include "shared/failures.hpp"

namespace espalier::apps {

namespace {

constexpr std::uint64_t usual_seed = 20260507;

// All ranks where they are few; else both ends, the middle and their neighbours.
std::vector<int> roots_among(int size) {
  std::vector<int> roots(static_cast<std::size_t>(size));
  std::iota(roots.begin(), roots.end(), 0);
  if (size > 9) roots = {0, 1, size / 2 - 1, size / 2, size - 1};
  return roots;
}

// The contract tells what kind of trial a collective needs.
Matrix matrix_of(Collective collective, const Job& job) {
  const Contract& contract = contract_of(collective);
  if (!contract.carries_data) return barrier_matrix(job);
  if (contract.reduces) return reduction_matrix(collective, job);
  return contract.division == Division::by_algorithm ? bcast_matrix(job) : block_matrix(collective, job);
}

void run(Job& job, const Matrix& matrix, Coverage coverage, std::uint64_t seed) {
  const std::vector<Variant> variants = variants_of(matrix.collective, coverage == Coverage::brief);
  std::vector<int> sizes = {static_cast<int>(variants.size())};
  sizes.insert(sizes.end(), matrix.sizes.begin(), matrix.sizes.end());
  const Variant* current = nullptr;
  std::uint64_t number = seed;
  for (const Row& row : cover(sizes, coverage, seed)) {
    const Variant& variant = variants[row.front()];
    if (current != &variant) {
      if (current != nullptr) job.tally.compare_common(*current, job.groups);
      current = &variant;
      if (const std::string error = force(variant.setting); !error.empty()) fail(error);
    }
    matrix.run(job, variant, row, number++);
  }
  job.tally.compare_common(*current, job.groups);
}

int run_all(Coverage coverage, std::uint64_t seed) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Job job{.groups = make_groups(), .roots = roots_among(size), .counts = {0, 1, 5, 1021, 20011}, .tally = {}};
  for (const Collective collective : all_collectives) run(job, matrix_of(collective, job), coverage, seed);
  if (wrong_datatypes() > 0) fail("a user operation was called with another datatype than the call's");
  const std::string facts = "\"ranks\": " + std::to_string(size) + ", \"seed\": " + std::to_string(seed) +
                            ", \"active\": " + (is_active() ? "true, " : "false, ") + job.tally.facts();
  free_groups(job.groups);
  return conclude(facts);
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto coverage = espalier::apps::coverage_named(argc > 1 ? argv[1] : "pairs");
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : espalier::apps::usual_seed;
  const int status = espalier::apps::run_all(coverage, seed);
  MPI_Finalize();
  return status;
}
