// SPDX-License-Identifier: Apache-2.0
// Collective calls to which ranks come late: see late_calls.hpp. Prints JSON.
//
//     espalier-bench-late --bytes N --variants 'A;B;...' [--collective NAME] [--calls N] [--rounds N]
//                         [--change-after N] [--late RANK --delay SECONDS | --pattern NUMBER --most SECONDS]
//
// --pattern: each rank's delay is random, up to --most, as paper 4 has it: equal for equal numbers.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>

#include "../collectives/command_line.hpp"
#include "../collectives/print_list.hpp"
#include "late_calls.hpp"

namespace bench {

namespace {

struct Late {
  int rank = -1;
  double delay = 0;
  long pattern = -1;
  double most = 0;
};

std::vector<double> delays_of(const Late& late, int ranks) {
  std::vector<double> delays(static_cast<std::size_t>(ranks), 0);
  if (late.rank >= ranks) throw std::invalid_argument("--late: there are " + std::to_string(ranks) + " ranks");
  if (late.rank >= 0) delays[static_cast<std::size_t>(late.rank)] = late.delay;
  if (late.pattern < 0) return delays;
  constexpr unsigned million = 1000000;
  for (int rank = 0; rank < ranks; ++rank) {
    std::mt19937 random(static_cast<unsigned>(late.pattern * 100003 + rank));
    delays[static_cast<std::size_t>(rank)] = late.most * static_cast<double>((random() >> 1) % million) / million;
  }
  return delays;
}

LateOptions parse(int argc, char** argv, Late& late) {
  LateOptions options;
  for_each_option(argc, argv, [&](const std::string& name, const std::string& value) {
    if (name == "--bytes") {
      options.bytes = std::stoul(value);
    } else if (name == "--variants") {
      options.variants = split(value, ';');
    } else if (name == "--collective") {
      options.collective = value;
    } else if (name == "--calls") {
      options.calls = std::stoi(value);
    } else if (name == "--rounds") {
      options.rounds = std::stoi(value);
    } else if (name == "--change-after") {
      options.change_after = std::stoi(value);
    } else if (name == "--late") {
      late.rank = std::stoi(value);
    } else if (name == "--delay") {
      late.delay = std::stod(value);
    } else if (name == "--pattern") {
      late.pattern = std::stol(value);
    } else if (name == "--most") {
      late.most = std::stod(value);
    } else {
      return false;
    }
    return true;
  });
  return options;
}

void print_json(const LateOptions& options, const std::vector<LateRow>& rows) {
  std::printf("{\"ranks\": %zu, \"collective\": \"%s\", \"bytes\": %zu", options.delays.size(),
              options.collective.c_str(), options.bytes);
  print_list("delays", options.delays);
  std::printf(", \"rows\": [");
  const char* separator = "";
  for (const LateRow& row : rows) {
    std::printf("%s\n{\"variant\": \"%s\"", separator, row.variant.c_str());
    print_list("overall", row.overall);
    print_list("mean", row.mean);
    std::printf("}");
    separator = ",";
  }
  std::printf("\n]}\n");
}

void run(int argc, char** argv) {
  Late late;
  LateOptions options = parse(argc, argv, late);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  options.delays = delays_of(late, ranks);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const auto progress = [](const std::string& what) { std::fprintf(stderr, "%s\n", what.c_str()); };
  const std::vector<LateRow> rows = run_late(options, comm, progress);
  if (rank == 0) print_json(options, rows);
  MPI_Comm_free(&comm);
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init(&argc, &argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  try {
    bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier-bench-late: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
