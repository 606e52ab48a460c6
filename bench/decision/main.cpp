// SPDX-License-Identifier: Apache-2.0
// What the first call of a kind costs a rank before any message leaves: espalier-bench-decision [--json]
// On a torus of 3x3x3 nodes and on 8 nodes with two NICs, as the lab has them. "first": nothing was decided before;
// "next": of the next power of two up to 64 MiB, on average. Then the schedule that was chosen, mean over ranks.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/plan.hpp"
#include "engine/bound.hpp"
#include "harness/no_port.hpp"
#include "select/network_choice.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr std::size_t sizes[] = {4 << 10, 16 << 10, 64 << 10, 1 << 20, 8 << 20};
constexpr std::size_t largest = 64 << 20;
constexpr int repeats = 21;
constexpr double rate = 2.5e6;  // bytes per second

double microseconds(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::nth_element(times, times.begin() + times.size() / 2);
  return times[times.size() / 2];
}

Machine lab_machine(int nodes) {
  Machine machine;
  machine.nodes.resize(static_cast<std::size_t>(nodes));
  machine.hop_seconds = 2e-4;
  machine.burst_bytes = 18028;
  return machine;
}

std::unique_ptr<const Network> torus() {
  Machine machine = lab_machine(27);
  machine.lattice = Lattice{{{3, true}, {3, true}, {3, true}}};
  machine.node_at.resize(machine.nodes.size());
  std::iota(machine.node_at.begin(), machine.node_at.end(), 0);
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, rate);
  return std::make_unique<const Network>(machine, machine.node_at);
}

std::unique_ptr<const Network> rails() {
  Machine machine = lab_machine(8);
  machine.nic_bytes_per_second = rate;
  for (MachineNode& node : machine.nodes) node.nics = 2;
  std::vector<int> node_of(machine.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  return std::make_unique<const Network>(machine, node_of, NicUse::all);
}

struct Costs {
  double first, next;  // decisions
  double build, bind;  // of one rank's schedule; 0 if the call is left to the native MPI
  std::string chosen;
};

Problem problem_of(Collective collective, std::size_t bytes) {
  const std::size_t element = collective == Collective::bcast ? 1 : 8;
  return {.collective = collective, .count = bytes / element, .element_bytes = element};
}

Schedule build(const Choice& choice, const Problem& problem, const Shape& shape, Rank me) {
  return build_schedule(*choice.algorithm, request_for(choice, problem, shape, me));
}

void bind(const Choice& choice, const Problem& problem, Schedule schedule) {
  NoPort transport;
  Partition partition = partition_for(choice, problem, schedule);
  const Elements elements{.stride_bytes = problem.element_bytes};
  const BoundSchedule<NoPort> bound(std::move(schedule), std::move(partition), choice.cut.window, elements, transport);
}

void add_schedule(Costs& costs, const Choice& choice, const Problem& problem, const Shape& shape) {
  const auto on_all_ranks = [&](auto work) {
    return microseconds([&] {
             for (Rank me = 0; me < shape.size; ++me) work(me);
           }) /
           shape.size;
  };
  costs.chosen = choice.native() ? "native" : choice.algorithm->name;
  if (choice.native()) return;
  costs.build = on_all_ranks([&](Rank me) { (void)build(choice, problem, shape, me); });
  costs.bind = on_all_ranks([&](Rank me) { bind(choice, problem, build(choice, problem, shape, me)); }) - costs.build;
}

Costs costs_of(Collective collective, std::size_t bytes, const Shape& shape) {
  const Problem problem = problem_of(collective, bytes);
  Costs costs{};
  costs.first = microseconds([&] { (void)NetworkChooser().choose(problem, shape); });
  int more = 0;
  for (std::size_t next = 2 * bytes; next <= largest; next *= 2) ++more;
  const double all = microseconds([&] {
    NetworkChooser chooser;
    for (std::size_t next = bytes; next <= largest; next *= 2)
      (void)chooser.choose(problem_of(collective, next), shape);
  });
  costs.next = (all - costs.first) / more;
  add_schedule(costs, *NetworkChooser().choose(problem, shape), problem, shape);
  return costs;
}

void print(const std::string& network, Collective collective, std::size_t bytes, const Costs& costs, bool json,
           const char* separator) {
  const std::string name(name_of(collective));
  if (json) {
    std::printf(
        "%s\n{\"network\": \"%s\", \"collective\": \"%s\", \"bytes\": %zu, \"first_us\": %.1f, \"next_us\": %.1f, "
        "\"build_us\": %.1f, \"bind_us\": %.1f, \"chosen\": \"%s\"}",
        separator, network.c_str(), name.c_str(), bytes, costs.first, costs.next, costs.build, costs.bind,
        costs.chosen.c_str());
  } else {
    std::printf("%-12s %-10s %10zu %10.1f %10.1f %10.1f %10.1f  %s\n", network.c_str(), name.c_str(), bytes,
                costs.first, costs.next, costs.build, costs.bind, costs.chosen.c_str());
  }
}

int run(bool json) {
  const auto torus_network = torus(), rails_network = rails();
  const std::pair<std::string, const Network*> networks[] = {{"torus 3x3x3", torus_network.get()},
                                                             {"rails 8x2", rails_network.get()}};
  if (!json) {
    std::printf("one rank, us\n%-12s %-10s %10s %10s %10s %10s %10s  %s\n", "network", "collective", "bytes", "first",
                "next", "build", "bind", "chosen");
  }
  const char* separator = "[";
  for (const auto& [name, network] : networks) {
    for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
      for (const std::size_t bytes : sizes) {
        print(name, collective, bytes, costs_of(collective, bytes, {network->nodes(), network}), json, separator);
        separator = ",";
      }
    }
  }
  if (json) std::printf("\n]\n");
  return 0;
}

}  // namespace

}  // namespace espalier

int main(int argc, char** argv) {
  const bool json = argc == 2 && std::strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !json) {
    std::fprintf(stderr, "espalier-bench-decision: %s: the only option is --json\n", argv[1]);
    return 2;
  }
  return espalier::run(json);
}
