// SPDX-License-Identifier: Apache-2.0
// What it costs to build one rank's schedule, and how large it is: espalier-bench-schedule [RANKS] [--json]
// Algorithms for a torus: on that of paper 1, 48x6x32.
// Two message lengths, one a thousand times the other: the schedule of a pipeline must not notice.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/plan.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr std::size_t short_bytes = 1 << 20;
constexpr std::size_t long_bytes = std::size_t{1} << 30;
constexpr std::size_t segment_bytes = 16 * 1024;
constexpr int repeats = 201;

struct Built {
  double microseconds;  // median over repeats
  std::size_t bytes, operations;
};

// An inner rank of a tree has the most to do, and so has the root.
Built build(const Algorithm& algorithm, const Shape& shape, Rank me, std::size_t message_bytes) {
  const Choice choice{.algorithm = &algorithm, .cut = {.segment_bytes = segment_bytes}};
  const Problem problem{.collective = algorithm.collective, .count = message_bytes};
  std::vector<double> times;
  Built built{};
  for (int i = 0; i < repeats; i++) {
    const auto start = std::chrono::steady_clock::now();
    const Schedule schedule = build_schedule(algorithm, request_for(choice, problem, shape, me));
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count());
    built.bytes = schedule.bytes();
    built.operations = schedule.operations.size();
    if (time.count() > 10000) break;  // once is enough to know
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  built.microseconds = times[times.size() / 2];
  return built;
}

std::unique_ptr<const Network> torus_of_the_paper() {
  Machine machine;
  machine.lattice = Lattice{{{48, true}, {6, true}, {32, true}}};
  machine.nodes.resize(static_cast<std::size_t>(machine.lattice->points()));
  machine.node_at.resize(machine.nodes.size());
  std::iota(machine.node_at.begin(), machine.node_at.end(), 0);
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 5e9);
  return std::make_unique<const Network>(machine, machine.node_at);
}

int run(Rank ranks, bool json) {
  const auto torus = torus_of_the_paper();
  if (!json)
    std::printf("%-32s %12s %12s %12s %12s\n", "one inner rank's schedule", "us", "operations", "bytes", "bytes x1000");
  const char* separator = "[";
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.needs == Needs::graph) continue;  // the packing is most of it, and made once for each root
    const Shape shape = algorithm.needs == Needs::torus ? Shape{torus->nodes(), torus.get()} : Shape{ranks};
    const std::string name = std::string(name_of(algorithm.collective)) + ":" + std::string(algorithm.name);
    const Rank inner = std::min(shape.size - 1, 1);
    const Built built = build(algorithm, shape, inner, short_bytes);
    const Built longer = build(algorithm, shape, inner, long_bytes);
    if (json) {
      std::printf(
          "%s\n{\"algorithm\": \"%s\", \"ranks\": %d, \"microseconds\": %.2f, \"operations\": %zu, "
          "\"bytes\": %zu, \"bytes_for_1000_times_the_message\": %zu}",
          separator, name.c_str(), shape.size, built.microseconds, built.operations, built.bytes, longer.bytes);
      separator = ",";
    } else {
      std::printf("%-32s %12.1f %12zu %12zu %12zu\n", name.c_str(), built.microseconds, built.operations, built.bytes,
                  longer.bytes);
    }
  }
  if (json) std::printf("\n]\n");
  return 0;
}

}  // namespace

}  // namespace espalier

int main(int argc, char** argv) {
  espalier::Rank ranks = 10000;
  bool json = false;
  for (int i = 1; i < argc; i++) {
    if (std::strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (const int number = std::atoi(argv[i]); number > 0) {
      ranks = number;
    } else {
      std::fprintf(stderr, "espalier-bench-schedule: %s: a number of ranks or --json\n", argv[i]);
      return 2;
    }
  }
  return espalier::run(ranks, json);
}
