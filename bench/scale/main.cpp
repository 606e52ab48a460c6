// SPDX-License-Identifier: Apache-2.0
// What Espalier itself costs one rank among many: espalier-bench-scale [MOST_RANKS] [--json]
// A rank in the middle of the job takes the steps that it takes in a program: it reads the machine's description, makes
// the network of MPI_COMM_WORLD, decides about calls, and builds and binds schedules. Nobody is there to talk to.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "algorithms/plan.hpp"
#include "engine/bound.hpp"
#include "harness/no_port.hpp"
#include "policy/selection/selector.hpp"
#include "scale/jobs.hpp"
#include "scale/measure.hpp"
#include "select/alternatives.hpp"
#include "select/network_choice.hpp"
#include "topology/network.hpp"
#include "topology/readers/read_machine.hpp"

namespace espalier {

namespace {

constexpr int patience = 20;  // seconds

struct Call {
  Collective collective;
  std::size_t bytes;
};
constexpr Call decided[] = {
    {Collective::barrier, 0},           {Collective::bcast, 1 << 10},     {Collective::bcast, 1 << 20},
    {Collective::allreduce, 8},         {Collective::allreduce, 1 << 20}, {Collective::allgather, 1 << 10},
    {Collective::reduce_scatter, 1024}, {Collective::alltoall, 64},       {Collective::alltoall, 1 << 10}};

struct NamedCall {
  const char* algorithm;
  Call call;
};
constexpr NamedCall built[] = {
    {"dissemination", {Collective::barrier, 0}},        {"knomial", {Collective::bcast, 1 << 20}},
    {"trinaryx6", {Collective::bcast, 1 << 20}},        {"packed", {Collective::bcast, 1 << 20}},
    {"recursive_doubling", {Collective::allreduce, 8}}, {"rabenseifner", {Collective::allreduce, 1 << 20}},
    {"ring", {Collective::allreduce, 1 << 20}},         {"trinaryx3_fused", {Collective::allreduce, 1 << 20}},
    {"multilane", {Collective::allreduce, 1 << 20}},    {"ring", {Collective::allgather, 1 << 10}},
    {"bruck", {Collective::allgather, 1 << 10}},        {"spread", {Collective::alltoall, 1 << 10}},
    {"pairwise", {Collective::alltoall, 1 << 10}},      {"bruck", {Collective::alltoall, 64}}};

Problem problem_of(const Call& call) {
  const std::size_t element = contract_of(call.collective).reduces ? 8 : 1;
  return {.collective = call.collective, .count = call.bytes / element, .element_bytes = element};
}

std::string text_of(const Call& call) {
  const std::string name(name_of(call.collective));
  return call.bytes == 0 ? name : name + " " + std::to_string(call.bytes) + " B";
}

class Table {
 public:
  explicit Table(bool json) : json_(json) {
    if (!json_) std::printf("%-20s %7s  %-44s %12s %14s %14s\n", "job", "ranks", "step", "ms", "bytes kept", "at most");
  }
  ~Table() {
    if (json_) std::printf("\n]\n");
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void add(const ScaledJob& job, const std::string& step, const std::optional<StepCost>& cost) {
    if (json_) return add_json(job, step, cost);
    std::printf("%-20s %7d  %-44s ", job.name.c_str(), job.ranks, step.c_str());
    if (cost) {
      std::printf("%12.3f %14zu %14zu\n", cost->seconds * 1e3, cost->kept, cost->peak);
    } else {
      std::printf("longer than %d s\n", patience);
    }
  }

 private:
  void add_json(const ScaledJob& job, const std::string& step, const std::optional<StepCost>& cost) {
    std::printf("%s\n{\"job\": \"%s\", \"ranks\": %d, \"ranks_per_node\": %d, \"step\": \"%s\", ", separator_,
                job.name.c_str(), job.ranks, job.ranks_per_node, step.c_str());
    separator_ = ",";
    if (cost) {
      std::printf("\"milliseconds\": %.4f, \"kept_bytes\": %zu, \"peak_bytes\": %zu}", cost->seconds * 1e3, cost->kept,
                  cost->peak);
    } else {
      std::printf("\"milliseconds\": null, \"kept_bytes\": null, \"peak_bytes\": null}");
    }
  }

  const bool json_;
  const char* separator_ = "[";
};

// What one rank does.
class PlayedRank {
 public:
  PlayedRank(const ScaledJob& job, Table& table) : job_(job), table_(table), me_(job.ranks / 2 + 1) {}

  void play() {
    measure("read the machine", [&] { return read(); });
    const Machine machine = *read();
    const std::vector<int> node_of = nodes_of(job_);
    measure("nodes of all ranks", [&] { return std::make_unique<const RankNumbers>(std::span<const int>(node_of)); });
    measure("network of the world", [&] { return std::make_unique<const Network>(machine, node_of); });
    const Network network(machine, node_of);
    const Shape shape{.size = job_.ranks, .network = &network};
    for (const Call& call : decided) measure_decision(call, shape);
    for (const NamedCall& call : built) measure_schedule(call, shape);
  }

 private:
  [[nodiscard]] std::unique_ptr<const Machine> read() const {
    return std::make_unique<const Machine>(without_what_follows(read_machine(job_.description, "machine.toml")));
  }

  template <class Step>
  void measure(const std::string& name, const Step& step) {
    table_.add(job_, name, cost_elsewhere([&] { return cost_of(step); }, patience));
  }

  void measure_decision(const Call& call, const Shape& shape) {
    const Selector selector{Settings{}};
    const Problem problem = problem_of(call);
    measure("decide: " + text_of(call), [&] { return selector.decide(problem, shape); });
    const Choice baseline = selector.decide(problem, shape).first_choice();
    measure("candidates: " + text_of(call),
            [&] { return alternatives_for(problem, shape, baseline, Reproducible::off); });
  }

  void measure_schedule(const NamedCall& call, const Shape& shape) {
    const Algorithm& algorithm = *find_algorithm(call.call.collective, call.algorithm);
    if (!exists_for(algorithm, shape)) return;
    const std::string name = text_of(call.call) + " by " + call.algorithm;
    const Problem problem = problem_of(call.call);
    const Choice choice{.algorithm = &algorithm, .cut = cut_for(algorithm, problem, shape)};
    const auto build = [&] { return build_schedule(algorithm, request_for(choice, problem, shape, me_)); };
    measure("build: " + name, build);
    measure("build and bind: " + name, [&] {
      Schedule schedule = build();
      Partition partition = partition_for(choice, problem, schedule);
      const Elements elements{.stride_bytes = problem.element_bytes};
      return std::make_unique<const BoundSchedule<NoPort>>(std::move(schedule), std::move(partition), choice.cut.window,
                                                           elements, port_);
    });
  }

  const ScaledJob& job_;
  Table& table_;
  const Rank me_;
  NoPort port_;
};

}  // namespace

}  // namespace espalier

int main(int argc, char** argv) {
  espalier::Rank most = 1 << 20;
  bool json = false;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--json") == 0) {
      json = true;
    } else if (const int number = std::atoi(argv[k]); number > 0) {
      most = number;
    } else {
      std::fprintf(stderr, "espalier-bench-scale: %s: allowed: the most ranks of a job, and --json\n", argv[k]);
      return 2;
    }
  }
  espalier::Table table(json);
  for (const espalier::ScaledJob& job : espalier::scaled_jobs()) {
    if (job.ranks <= most) espalier::PlayedRank(job, table).play();
  }
  return 0;
}
