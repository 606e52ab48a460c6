// SPDX-License-Identifier: Apache-2.0
// Compares ways to exchange halos over a real network: see exchanges.hpp and patterns.hpp. Prints JSON.
//
//     espalier-bench-halo --pattern NAME --bytes N,N,... --variants 'A;B;...' [--repeats N]
//
// Exchanges of short messages, which the processors limit, vary more than others: they are repeated 20 times as often.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>

#include "../collectives/clock.hpp"
#include "../collectives/command_line.hpp"
#include "../collectives/print_list.hpp"
#include "../network/stopwatch.hpp"
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
  for_each_option(argc, argv, [&](const std::string& name, const std::string& value) {
    if (name == "--pattern") {
      options.pattern = value;
    } else if (name == "--bytes") {
      options.bytes = sizes_in(value);
    } else if (name == "--variants") {
      options.variants = split(value, ';');
    } else if (name == "--repeats") {
      options.repeats = std::stoi(value);
    } else {
      return false;
    }
    return true;
  });
  return options;
}

// Each alone: all begin together.
constexpr Train train = {};

class Comparison {
 public:
  Comparison(const Options& options, std::size_t bytes) : options_(options), bytes_(bytes) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  [[nodiscard]] std::vector<Row> run() {
    const Pattern pattern = pattern_of(options_.pattern, bytes_, rank_, ranks_);
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
    if (latest(exchange.is_right() ? 0 : 1, MPI_COMM_WORLD) > 0)
      throw std::runtime_error(row.variant + ": wrong result");
    if (!counts) return;
    row.seconds.push_back(timing.seconds);
    row.packets.push_back(packets);
    row.cpu_busy = std::max(row.cpu_busy, timing.cpu_busy);
    if (rank_ == 0) std::fprintf(stderr, "%zu B: %s, %.4g s\n", bytes_, row.variant.c_str(), timing.seconds);
  }

  const Options& options_;
  const std::size_t bytes_;
  int rank_ = 0, ranks_ = 0;
};

// All messages: from, to, bytes.
void print_messages(const Options& options, std::size_t bytes, int ranks) {
  const bool is_alike = pattern_of(options.pattern, bytes, 0, ranks).is_alike;
  std::printf("{\"bytes\": %zu, \"is_alike\": %s, \"messages\": [", bytes, is_alike ? "true" : "false");
  const char* separator = "";
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Block& block : pattern_of(options.pattern, bytes, rank, ranks).sent) {
      std::printf("%s[%d, %d, %zu]", separator, rank, block.peer, block.bytes);
      separator = ", ";
    }
  }
  std::printf("]}");
}

void print_json(const Options& options, int ranks, const std::vector<Row>& rows) {
  std::printf("{\"pattern\": \"%s\", \"ranks\": %d, \"sizes\": [", options.pattern.c_str(), ranks);
  const char* separator = "";
  for (const std::size_t bytes : options.bytes) {
    std::printf("%s\n", separator);
    print_messages(options, bytes, ranks);
    separator = ",";
  }
  std::printf("\n], \"rows\": [");
  separator = "";
  for (const Row& row : rows) {
    std::printf("%s\n{\"bytes\": %zu, \"variant\": \"%s\", \"cpu_busy\": %.3f", separator, row.bytes,
                row.variant.c_str(), row.cpu_busy);
    print_list("seconds", row.seconds);
    print_list("packets", row.packets);
    std::printf("}");
    separator = ",";
  }
  std::printf("\n]}\n");
}

void run(int argc, char** argv) {
  const Options options = parse(argc, argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<Row> rows;
  for (const std::size_t bytes : options.bytes) {
    for (Row& row : Comparison(options, bytes).run()) rows.push_back(std::move(row));
  }
  if (rank == 0) print_json(options, ranks, rows);
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier-bench-halo: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
