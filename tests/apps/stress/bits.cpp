// SPDX-License-Identifier: Apache-2.0
// Floating-point reductions whose bits show in which order they add, each made again and again: how many different
// results there are, and a hash of all, which a second run may be compared with.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 bits [calls]
#include <mpi.h>

#include <set>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "shared/failures.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

constexpr int counts[] = {30, 3000, 100'000};
constexpr std::uint64_t large_count_divisor = 20;  // one call takes as long as many short ones

// Of magnitudes that differ much: each order of additions rounds otherwise.
std::vector<double> numbers(int count, int rank) {
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = scramble(7, rank, i);
    const double size = static_cast<double>(std::uint64_t{1} << (bits % 50));
    numbers.push_back((bits >> 60 & 1 ? -1 : 1) * size * (1 + static_cast<double>(bits >> 12 & 0xfffff) / 3e6));
  }
  return numbers;
}

std::uint64_t hash_of(const std::vector<double>& numbers) {
  return hash_of_text({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
}

using Reduce = void (*)(const std::vector<double>& input, std::vector<double>& output, int count);

constexpr Reduce reductions[] = {
    [](const std::vector<double>& input, std::vector<double>& output, int count) {
      MPI_Allreduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    },
    [](const std::vector<double>& input, std::vector<double>& output, int count) {
      MPI_Reduce(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
    },
    [](const std::vector<double>& input, std::vector<double>& output, int count) {
      int ranks = 1;
      MPI_Comm_size(MPI_COMM_WORLD, &ranks);
      MPI_Reduce_scatter_block(input.data(), output.data(), count / ranks, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    },
    [](const std::vector<double>& input, std::vector<double>& output, int count) {
      MPI_Scan(input.data(), output.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    },
};

// The hashes of all results of one kind of call.
std::set<std::uint64_t> results_of(Reduce reduce, int count, std::uint64_t calls, int rank) {
  const std::vector<double> input = numbers(count, rank);
  std::vector<double> output(input.size());
  std::set<std::uint64_t> results;
  for (std::uint64_t call = 0; call < calls; ++call) {
    reduce(input, output, count);
    results.insert(hash_of(output));
  }
  return results;
}

int run(const Arguments& arguments) {
  const std::uint64_t calls = arguments.number(1, 2000);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::size_t different = 1;
  std::uint64_t all = hash_of_nothing;
  for (const Reduce reduce : reductions) {
    for (const int count : counts) {
      now_doing("reductions of " + std::to_string(count), 200);
      const auto results = results_of(reduce, count, count > 5000 ? calls / large_count_divisor : calls, rank);
      different = std::max(different, results.size());
      for (const std::uint64_t result : results) all = hash_of_number(result, all);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &different, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  const CallCounts made = all_calls();
  return conclude("\"different\": " + std::to_string(different) + ", \"hash\": \"" + std::to_string(all) +
                  "\", \"own\": " + std::to_string(made.own) + ", \"native\": " + std::to_string(made.native));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
