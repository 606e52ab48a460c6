// SPDX-License-Identifier: Apache-2.0
// Compares what an MPI, Espalier and a hand-written program make of ranks that share a node: see contest.hpp. Run by
// `./espalier nodes`. Prints an object of JSON for each collective, size and variant, on a line of its own.
//
//     espalier-bench-nodes --collectives 'A;B;...' --bytes N,N,... --variants 'A;B;...' [--repeats N]
//                          [--crowded yes|no] [--sample SECONDS] [--learning SECONDS]
//
// Variants are those of ../collectives/named_variant.hpp, limit:NAME (limit/limit.hpp), and limit:*.
#include <mpi.h>

#include <cstdio>

#include "../harness/json.hpp"
#include "../harness/options.hpp"
#include "../harness/program.hpp"
#include "contest.hpp"

namespace bench {

namespace {

ContestOptions parse(int argc, char** argv) {
  ContestOptions options;
  read_options(argc, argv,
               {
                   {"--collectives", into(options.collectives)},
                   {"--bytes", into(options.bytes)},
                   {"--variants", into(options.variants)},
                   {"--crowded", [&](const auto& value) { options.is_crowded = value == "yes"; }},
                   {"--repeats", into(options.repeats)},
                   {"--sample", into(options.sample_seconds)},
                   {"--learning", into(options.learning_seconds)},
               });
  return options;
}

template <class Number>
std::vector<double> each(const std::vector<Sample>& samples, Number Sample::*member) {
  std::vector<double> numbers;
  for (const Sample& sample : samples) numbers.push_back(sample.*member);
  return numbers;
}

void print_row(const std::string& collective, std::size_t bytes, const ContestRow& row) {
  {
    JsonObject object;
    object.add("collective", collective);
    object.add("bytes", bytes);
    object.add("variant", row.variant);
    object.add("seconds", each(row.samples, &Sample::seconds));
    object.add("barrier_seconds", each(row.samples, &Sample::barrier_seconds));
  }
  std::printf("\n");
  std::fflush(stdout);
}

// What all ranks' buffers take together, at most.
bool has_room_for(const Function& function, std::size_t bytes, int ranks) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  const auto count = static_cast<std::size_t>(ranks);
  const bool is_whole = function.contract.reduces || function.contract.division == espalier::Division::by_algorithm;
  return bytes * (is_whole ? 2 : 2 * count) * count <= most_bytes;
}

void measure(const ContestOptions& options, const Function& function, Stage& stage, MPI_Comm comm) {
  const auto [rank, ranks] = position_in(comm);
  const bool is_first = rank == 0;
  Contest contest(options, function, stage, comm);
  for (const std::size_t bytes : options.bytes) {
    if (!has_room_for(function, bytes, ranks)) continue;
    if (is_first) say(function.name + ", " + std::to_string(bytes) + " B");
    const std::size_t size = function.contract.carries_data ? bytes : 0;
    for (const ContestRow& row : contest.run(size)) {
      if (is_first) print_row(function.name, size, row);
    }
    if (size == 0) break;
  }
}

void run(int argc, char** argv) {
  const ContestOptions options = parse(argc, argv);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  {
    Stage stage(comm, options.is_crowded);
    for (const std::string& name : options.collectives) measure(options, function_of(name), stage, comm);
  }
  MPI_Comm_free(&comm);
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) { return bench::run_program("espalier-bench-nodes", argc, argv, bench::run); }
