// SPDX-License-Identifier: Apache-2.0
// Compares variants of a collective over a real network: see ../collectives/named_variant.hpp. Prints JSON.
//
//     espalier-bench-network --collective NAME --bytes N,N,... --variants 'A;B;...' [--repeats N] [--seed N]
//                            [--members RANK,RANK,...] [--root RANK] [--trains yes|no]
//                            [--series CALLS [--limit SECONDS] [--numbers real|whole] [--fresh yes|no]]
//     espalier-bench-network --collective hop --bytes N
#include <mpi.h>

#include "../harness/json.hpp"
#include "../harness/options.hpp"
#include "../harness/program.hpp"
#include "comparison.hpp"
#include "hop.hpp"
#include "series.hpp"

namespace bench {

namespace {

Options parse(int argc, char** argv) {
  Options options;
  read_options(argc, argv,
               {
                   {"--collective", into(options.collective)},
                   {"--bytes", into(options.bytes)},
                   {"--variants", into(options.variants)},
                   {"--repeats", into(options.repeats)},
                   {"--series", into(options.series)},
                   {"--limit", into(options.limit)},
                   {"--numbers",
                    [&](const auto& value) { options.numbers = value == "whole" ? Numbers::whole : Numbers::real; }},
                   {"--fresh", [&](const auto& value) { options.is_fresh = value == "yes"; }},
                   {"--trains", [&](const auto& value) { options.trains = value == "yes"; }},
                   {"--seed", into(options.seed)},
                   {"--root", into(options.root)},
                   {"--members", into(options.members)},
               });
  return options;
}

MPI_Comm communicator_of(const Options& options) {
  const int rank = position_in(MPI_COMM_WORLD).rank;
  int key = options.members.empty() ? rank : -1;
  for (std::size_t i = 0; i < options.members.size(); ++i) {
    if (options.members[i] == rank) key = static_cast<int>(i);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, key < 0 ? MPI_UNDEFINED : 0, key, &comm);
  return comm;
}

void print_json(const Options& options, int ranks, const std::vector<Row>& rows) {
  JsonObject object;
  object.add("collective", options.collective);
  object.add("ranks", ranks);
  object.add_rows("rows", rows, [](JsonObject& member, const Row& row) {
    member.add("bytes", row.bytes);
    member.add("variant", row.variant);
    member.add("cpu_busy", row.cpu_busy);
    member.add("seconds", row.seconds);
    if (!row.each.empty()) member.add("each", row.each);
  });
}

void measure(const Options& options, MPI_Comm comm) {
  const Position position = position_in(comm);
  if (options.collective == "hop") {
    const double seconds = seconds_of_message(comm, options.bytes.front());
    if (position.rank == 0) JsonObject().add("message_s", seconds);
    return;
  }
  const std::vector<Row> rows = options.series > 0 ? run_series(options, comm) : compare(options, comm);
  if (position.rank == 0) print_json(options, position.ranks, rows);
}

void run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  MPI_Comm comm = communicator_of(options);
  if (comm == MPI_COMM_NULL) return;
  measure(options, comm);
  MPI_Comm_free(&comm);
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) { return bench::run_program("espalier-bench-network", argc, argv, bench::run); }
