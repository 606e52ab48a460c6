// SPDX-License-Identifier: Apache-2.0
// Compares ways to do a collective over a real network: see variants.hpp. Prints JSON.
//
//     espalier-bench-network --collective NAME --bytes N,N,... --variants 'A;B;...' [--repeats N] [--seed N]
//                            [--members RANK,RANK,...] [--root RANK] [--trains yes|no]
//                            [--series CALLS [--limit SECONDS] [--numbers real|whole]]
//     espalier-bench-network --collective hop --bytes N
#include <mpi.h>

#include <cstdio>
#include <exception>

#include "../collectives/command_line.hpp"
#include "../collectives/print_list.hpp"
#include "comparison.hpp"
#include "hop.hpp"
#include "series.hpp"

namespace bench {

namespace {

Options parse(int argc, char** argv) {
  Options options;
  for_each_option(argc, argv, [&](const std::string& name, const std::string& value) {
    if (name == "--collective") {
      options.collective = value;
    } else if (name == "--bytes") {
      options.bytes = sizes_in(value);
    } else if (name == "--variants") {
      options.variants = split(value, ';');
    } else if (name == "--repeats") {
      options.repeats = std::stoi(value);
    } else if (name == "--series") {
      options.series = std::stoi(value);
    } else if (name == "--limit") {
      options.limit = std::stod(value);
    } else if (name == "--numbers") {
      options.numbers = value == "whole" ? Numbers::whole : Numbers::real;
    } else if (name == "--trains") {
      options.trains = value == "yes";
    } else if (name == "--seed") {
      options.seed = std::stoul(value);
    } else if (name == "--root") {
      options.root = std::stoi(value);
    } else if (name == "--members") {
      for (const std::string& part : split(value, ',')) options.members.push_back(std::stoi(part));
    } else {
      return false;
    }
    return true;
  });
  return options;
}

MPI_Comm communicator_of(const Options& options) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int key = options.members.empty() ? rank : -1;
  for (std::size_t i = 0; i < options.members.size(); ++i) {
    if (options.members[i] == rank) key = static_cast<int>(i);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, key < 0 ? MPI_UNDEFINED : 0, key, &comm);
  return comm;
}

void print_json(const Options& options, int ranks, const std::vector<Row>& rows) {
  std::printf("{\"collective\": \"%s\", \"ranks\": %d, \"rows\": [", options.collective.c_str(), ranks);
  const char* separator = "";
  for (const Row& row : rows) {
    std::printf("%s\n{\"bytes\": %zu, \"variant\": \"%s\", \"cpu_busy\": %.3f", separator, row.bytes,
                row.variant.c_str(), row.cpu_busy);
    print_list("seconds", row.seconds);
    if (!row.each.empty()) print_list("each", row.each);
    std::printf("}");
    separator = ",";
  }
  std::printf("\n]}\n");
}

int run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  MPI_Comm comm = communicator_of(options);
  if (comm == MPI_COMM_NULL) return 0;
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (options.collective == "hop") {
    const double seconds = seconds_of_message(comm, options.bytes.front());
    if (rank == 0) std::printf("{\"message_s\": %.6g}\n", seconds);
    return MPI_Comm_free(&comm);
  }
  const auto progress = [](const std::string& what) { std::fprintf(stderr, "%s\n", what.c_str()); };
  const std::vector<Row> rows =
      options.series > 0 ? run_series(options, comm, progress) : compare(options, comm, progress);
  if (rank == 0) print_json(options, ranks, rows);
  MPI_Comm_free(&comm);
  return 0;
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
    std::fprintf(stderr, "espalier-bench-network: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
