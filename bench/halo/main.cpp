// SPDX-License-Identifier: Apache-2.0
// Compares variants of an exchange of halos over a real network: see exchanges.hpp and patterns.hpp. Prints JSON.
//
//     espalier-bench-halo --pattern NAME --bytes N,N,... --variants 'A;B;...' [--repeats N]
//
// Exchanges of short messages, which the processors limit, vary more than others: they are repeated 20 times as often.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>

#include "../harness/clock.hpp"
#include "../harness/json.hpp"
#include "../harness/options.hpp"
#include "../harness/program.hpp"
#include "../harness/stopwatch.hpp"
#include "exchanges.hpp"
#include "packets.hpp"

namespace bench {

namespace {

struct Options {
  std::string pattern = "scale";
  std::vector<std::size_t> bytes = {224256};
  std::vector<std::string> variants = {"native:persistent", "espalier"};
  int repeats = 5;
};

struct Row {
  std::size_t bytes = 0;
  std::string variant;
  std::vector<double> seconds;
  double cpu_busy = 0;
  std::vector<double> packets;  // that the busiest host sent
};

Options parse(int argc, char** argv) {
  Options options;
  read_options(argc, argv,
               {
                   {"--pattern", into(options.pattern)},
                   {"--bytes", into(options.bytes)},
                   {"--variants", into(options.variants)},
                   {"--repeats", into(options.repeats)},
               });
  return options;
}

// Each alone: all begin together.
constexpr Train train = {};

class Comparison {
 public:
  Comparison(const Options& options, std::size_t bytes)
      : options_(options), bytes_(bytes), position_(position_in(MPI_COMM_WORLD)) {}

  [[nodiscard]] std::vector<Row> run() {
    const Pattern pattern = pattern_of(options_.pattern, bytes_, position_.rank, position_.ranks);
    std::vector<std::unique_ptr<Exchange>> exchanges;
    std::vector<Row> rows;
    for (const std::string& variant : options_.variants) {
      exchanges.push_back(std::make_unique<Exchange>(variant, pattern, MPI_COMM_WORLD));
      rows.push_back({.bytes = bytes_, .variant = variant});
    }
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(1);
    for (int repeat = 0; repeat <= repeats(); ++repeat) {
      shuffle(order, random);
      for (const std::size_t k : order) measure(*exchanges[k], rows[k], repeat > 0);
    }
    return rows;
  }

 private:
  [[nodiscard]] int repeats() const {
    constexpr std::size_t longest_short = 8192;
    return bytes_ <= longest_short ? 20 * options_.repeats : options_.repeats;
  }

  // Alike on all ranks. What comes after an exchange that left NICs idle finds bursts that their shapers have saved: no
  // variant may always come after the same one.
  static void shuffle(std::vector<std::size_t>& order, std::mt19937& random) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  }

  // The first time, connections are made.
  void measure(Exchange& exchange, Row& row, bool counts) {
    const NumberedCall call{[&](int) { exchange.run(); }, [](int) { return true; }};
    const double packets_before = packets_sent();
    const Timing timing = time_together(MPI_COMM_WORLD, train, call);
    const double packets = latest(packets_sent() - packets_before, MPI_COMM_WORLD);
    require_right(exchange.is_right(), row.variant, MPI_COMM_WORLD);
    if (!counts) return;
    row.seconds.push_back(timing.seconds);
    row.packets.push_back(packets);
    row.cpu_busy = std::max(row.cpu_busy, timing.cpu_busy);
    if (position_.rank == 0) std::fprintf(stderr, "%zu B: %s, %.4g s\n", bytes_, row.variant.c_str(), timing.seconds);
  }

  const Options& options_;
  const std::size_t bytes_;
  const Position position_;
};

// All messages: from, to, bytes.
std::vector<std::vector<std::size_t>> messages_of(const Options& options, std::size_t bytes, int ranks) {
  std::vector<std::vector<std::size_t>> messages;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Block& block : pattern_of(options.pattern, bytes, rank, ranks).sent)
      messages.push_back({static_cast<std::size_t>(rank), static_cast<std::size_t>(block.peer), block.bytes});
  }
  return messages;
}

void print_json(const Options& options, int ranks, const std::vector<Row>& rows) {
  JsonObject object;
  object.add("pattern", options.pattern);
  object.add("ranks", ranks);
  object.add_rows("sizes", options.bytes, [&](JsonObject& member, std::size_t bytes) {
    member.add("bytes", bytes);
    const Pattern pattern = pattern_of(options.pattern, bytes, 0, ranks);
    member.add("is_alike", pattern.is_alike);
    member.add("grid", std::vector<double>(pattern.grid.begin(), pattern.grid.end()));
    member.add("messages", messages_of(options, bytes, ranks));
  });
  object.add_rows("rows", rows, [](JsonObject& member, const Row& row) {
    member.add("bytes", row.bytes);
    member.add("variant", row.variant);
    member.add("cpu_busy", row.cpu_busy);
    member.add("seconds", row.seconds);
    member.add("packets", row.packets);
  });
}

void run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const auto [rank, ranks] = position_in(MPI_COMM_WORLD);
  std::vector<Row> rows;
  for (const std::size_t bytes : options.bytes) {
    for (Row& row : Comparison(options, bytes).run()) rows.push_back(std::move(row));
  }
  if (rank == 0) print_json(options, ranks, rows);
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) { return bench::run_program("espalier-bench-halo", argc, argv, bench::run); }
