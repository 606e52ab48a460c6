// SPDX-License-Identifier: Apache-2.0
// Collective calls to which ranks arrive late: see late_calls.hpp. Prints JSON.
//
//     espalier-bench-late --bytes N --variants 'A;B;...' [--collective NAME] [--calls N] [--rounds N]
//                         [--change-after N] [--late RANK --delay SECONDS | --pattern NUMBER --most SECONDS]
//
// --pattern: each rank's delay is random, up to --most, as paper 4 has it: equal for equal numbers.
#include <mpi.h>

#include <random>
#include <stdexcept>

#include "../harness/json.hpp"
#include "../harness/options.hpp"
#include "../harness/program.hpp"
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
  read_options(argc, argv,
               {
                   {"--bytes", into(options.bytes)},
                   {"--variants", into(options.variants)},
                   {"--collective", into(options.collective)},
                   {"--calls", into(options.calls)},
                   {"--rounds", into(options.rounds)},
                   {"--change-after", into(options.change_after)},
                   {"--late", into(late.rank)},
                   {"--delay", into(late.delay)},
                   {"--pattern", into(late.pattern)},
                   {"--most", into(late.most)},
               });
  return options;
}

void print_json(const LateOptions& options, const std::vector<LateRow>& rows) {
  JsonObject object;
  object.add("ranks", options.delays.size());
  object.add("collective", options.collective);
  object.add("bytes", options.bytes);
  object.add("delays", options.delays);
  object.add_rows("rows", rows, [](JsonObject& member, const LateRow& row) {
    member.add("variant", row.variant);
    member.add("overall", row.overall);
    member.add("mean", row.mean);
  });
}

void run(int argc, char** argv) {
  Late late;
  LateOptions options = parse(argc, argv, late);
  const auto [rank, ranks] = position_in(MPI_COMM_WORLD);
  options.delays = delays_of(late, ranks);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const std::vector<LateRow> rows = run_late(options, comm);
  if (rank == 0) print_json(options, rows);
  MPI_Comm_free(&comm);
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) { return bench::run_program("espalier-bench-late", argc, argv, bench::run); }
