// SPDX-License-Identifier: Apache-2.0
// explain: what would be chosen for a call, what else there is, what each costs in an idealised run, and how long it is
// estimated to take where the network is known.
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include "algorithms/plan.hpp"
#include "draw/timeline.hpp"
#include "estimate/estimate.hpp"
#include "estimate/native.hpp"
#include "estimate/network_cut.hpp"
#include "policy/selection/selector.hpp"
#include "schedule/layout.hpp"
#include "settings/number.hpp"
#include "tool/networks.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

struct ExplainOptions {
  std::string collective;
  std::string bytes = "0";
  Rank ranks = 2;
  Rank root = 0;
  std::string arithmetic = "commutative";
  std::size_t element_bytes = 8;
  NetworkOptions network;
  std::string hostfile;
  std::string mpi = "openmpi";
};

// What each makes of a node's NICs under Espalier.
const std::map<std::string, NicUse> nic_uses = {{"openmpi", NicUse::all}, {"mpich", NicUse::one}};

Choice choice_of(const Candidate& candidate) {
  return {.algorithm = candidate.algorithm,
          .cut = candidate.cut,
          .radix = candidate.radix,
          .leaders = candidate.leaders,
          .transport = candidate.transport};
}

// Counted, not measured: it knows neither latency nor bandwidth of any machine.
struct Cost {
  int steps = 0;                   // if a rank can send one message and receive one in each
  std::size_t messages = 0;        // of all ranks
  std::size_t max_sent_bytes = 0;  // by one rank
};

// Larger runs take too long to be built and played through for an answer at once.
constexpr std::size_t max_items = 100'000;

// Nor are they built for more ranks.
constexpr Rank max_counted_ranks = 512;

std::string left_uncounted() {
  return "Left out (-): steps, messages and bytes of runs among more than " + std::to_string(max_counted_ranks) +
         " ranks, or of more than " + std::to_string(max_items) + " messages and sums.\n";
}

std::size_t sent_bytes(const Schedule& schedule, const Layout& layout, std::size_t element_bytes) {
  std::size_t elements = 0;
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& op = schedule.operations[k];
    if (op.kind != Operation::Kind::send) continue;
    for (int item = 0; item < layout.items().count(k); ++item) elements += layout.extent(k, op.source, item).length;
  }
  return elements * element_bytes;
}

std::size_t items_of(const Schedule& schedule, const Items& items) {
  std::size_t all = 0;
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) all += static_cast<std::size_t>(items.count(k));
  return all;
}

std::optional<Cost> cost_of(const Candidate& candidate, const Problem& problem, const Shape& shape) {
  if (candidate.algorithm == nullptr || shape.size > max_counted_ranks) return std::nullopt;
  if (candidate.leaders == 0 && !exists_for(*candidate.algorithm, shape)) return std::nullopt;
  const Choice choice = choice_of(candidate);
  const auto build = [&](Rank rank) {
    return build_schedule(*candidate.algorithm, request_for(choice, problem, shape, rank));
  };
  std::vector<Schedule> ranks = {build(0)};
  const Partition partition = partition_for(choice, problem, ranks.front());
  const auto items_on = [&](const Schedule& schedule) {
    return items_of(schedule, Layout(schedule, partition, choice.cut.window).items());
  };
  // Roots may have far more than the others.
  const std::size_t least = std::min(items_on(ranks.front()), items_on(build(shape.size - 1)));
  if (least * static_cast<std::size_t>(shape.size) > max_items) return std::nullopt;
  std::size_t items = 0, max_sent = 0;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    if (rank > 0) ranks.push_back(build(rank));
    const Schedule& schedule = ranks.back();
    const Layout layout(schedule, partition, choice.cut.window);
    items += items_of(schedule, layout.items());
    if (items > max_items) return std::nullopt;
    max_sent = std::max(max_sent, sent_bytes(schedule, layout, problem.element_bytes));
  }
  const Timeline timeline = run_idealised(ranks, partition.segments(), choice.cut.window);
  return Cost{timeline.steps, timeline.transfers.size(), max_sent};
}

std::optional<double> seconds_of(const Candidate& candidate, const Problem& problem, const Shape& shape) {
  if (candidate.algorithm == nullptr) return estimated_native_seconds(problem, shape);
  if (!candidate.eligible || !can_be_estimated(shape)) return std::nullopt;
  return estimated_seconds(choice_of(candidate), problem, shape.over(candidate.transport));
}

// Nothing: they do not say.
std::optional<double> seconds_by_equations(const Candidate& candidate, const Problem& problem, const Shape& shape) {
  if (candidate.algorithm == nullptr || !candidate.eligible || candidate.algorithm->needs != Needs::torus) return {};
  const auto pipeline = pipeline_of(*candidate.algorithm, shape);
  if (!pipeline) return std::nullopt;
  return paper_seconds(*pipeline, problem, *shape.network, candidate.cut.segment_bytes);
}

std::string time_text(std::optional<double> seconds) {
  char text[32] = "-";
  if (seconds) std::snprintf(text, sizeof text, "%.3g ms", *seconds * 1e3);
  return text;
}

std::string name_of(const Algorithm* algorithm) {
  return algorithm == nullptr ? "native" : std::string(algorithm->name);
}

Json as_json(const Candidate& candidate, const std::optional<Cost>& cost, std::optional<double> seconds,
             std::optional<double> by_equations) {
  Json json = {{"algorithm", name_of(candidate.algorithm)},
               {"chosen", candidate.chosen},
               {"eligible", candidate.eligible},
               {"reason", candidate.reason}};
  if (candidate.algorithm != nullptr) {
    json["parameters"] = {{"segment", candidate.cut.segment_bytes}, {"window", candidate.cut.window}};
    if (candidate.algorithm->takes_radix) json["parameters"]["radix"] = candidate.radix;
    if (candidate.leaders > 0) json["parameters"]["leaders"] = candidate.leaders;
    if (candidate.transport == Transport::fabric) json["parameters"]["over"] = "fabric";
  }
  if (cost) {
    json["cost"] = {{"steps", cost->steps}, {"messages", cost->messages}, {"max_sent_bytes", cost->max_sent_bytes}};
  } else {
    json["cost"] = nullptr;
  }
  json["estimated_seconds"] = seconds ? Json(*seconds) : Json(nullptr);
  json["equations_seconds"] = by_equations ? Json(*by_equations) : Json(nullptr);
  return json;
}

std::string parameters_text(const Candidate& candidate) {
  if (candidate.algorithm == nullptr) return "";
  std::string text =
      "segment=" + format_size(candidate.cut.segment_bytes) + ",window=" + std::to_string(candidate.cut.window);
  if (candidate.algorithm->takes_radix) text += ",radix=" + std::to_string(candidate.radix);
  if (candidate.leaders > 0) text += ",leaders=" + std::to_string(candidate.leaders);
  if (candidate.transport == Transport::fabric) text += ",over=fabric";
  return text;
}

std::vector<std::string> as_row(const Candidate& candidate, const std::optional<Cost>& cost,
                                std::optional<double> seconds) {
  const char* verdict = candidate.chosen ? "chosen" : candidate.eligible ? "possible" : "unfit";
  return {name_of(candidate.algorithm),
          verdict,
          parameters_text(candidate),
          cost ? std::to_string(cost->steps) : "-",
          cost ? std::to_string(cost->messages) : "-",
          cost ? format_size(cost->max_sent_bytes) : "-",
          time_text(seconds),
          candidate.reason};
}

Problem problem_of(const ExplainOptions& options) {
  check_root(options.root, options.ranks);
  Problem problem{.collective = requested_collective(options.collective)};
  const std::size_t bytes = requested_size("--bytes", options.bytes);
  if (contract_of(problem.collective).is_rooted()) problem.root = options.root;
  if (contract_of(problem.collective).reduces) {
    const auto word = std::find(arithmetic_names.begin(), arithmetic_names.end(), options.arithmetic);
    problem.arithmetic = static_cast<Arithmetic>(word - arithmetic_names.begin());
    problem.element_bytes = options.element_bytes;
  }
  if (bytes % problem.element_bytes != 0) {
    throw BadRequest("--bytes " + options.bytes + ": not a whole number of elements; allowed: multiples of " +
                     std::to_string(problem.element_bytes) + " (--element-bytes)");
  }
  if (problem.collective == Collective::barrier && bytes > 0) {
    throw BadRequest("--bytes " + options.bytes + ": a barrier has no message; allowed: 0");
  }
  problem.count = bytes / problem.element_bytes;
  return problem;
}

std::string sentence(const Problem& problem, const Shape& shape) {
  std::string text = std::string(espalier::name_of(problem.collective));
  if (problem.collective != Collective::barrier) {
    const std::string size = format_size(problem.bytes());
    text += " of " + size + (size.ends_with("B") ? "" : " bytes");
  }
  text += " among " + std::to_string(shape.size) + (shape.size == 1 ? " rank" : " ranks");
  if (contract_of(problem.collective).is_rooted()) text += ", root " + std::to_string(problem.root);
  if (contract_of(problem.collective).reduces) text.append(", ").append(name_of(problem.arithmetic));
  return text;
}

Json as_json(const Problem& problem, const Shape& shape) {
  Json json = {{"collective", espalier::name_of(problem.collective)},
               {"bytes", problem.bytes()},
               {"ranks", shape.size},
               {"root", problem.root}};
  if (contract_of(problem.collective).reduces) {
    json["arithmetic"] = name_of(problem.arithmetic);
    json["element_bytes"] = problem.element_bytes;
  }
  return json;
}

void explain(ExplainOptions options, bool json) {
  if (!options.hostfile.empty() && !options.network.given()) {
    throw BadRequest("--hostfile " + options.hostfile +
                     ": of which machine? It goes with --topology, --torus or --mesh");
  }
  const Settings settings = current_settings();
  std::optional<JobNetworks> job;
  if (options.network.given()) {
    const Machine machine = requested_machine(options.network);
    const std::vector<int> node_of = requested_nodes(options.hostfile, machine);
    options.ranks = static_cast<Rank>(node_of.size());
    job.emplace(machine, node_of, nic_uses.at(options.mpi));
  }
  const Problem problem = problem_of(options);
  const Shape shape = job ? job->shape(settings.transport) : Shape{.size = options.ranks};
  const Selector selector(settings);
  const Choice choice = selector.decide(problem, shape).first_choice();
  Json answer = as_json(problem, shape);
  answer["chosen"] = name_of(choice.algorithm);
  answer["reason"] = choice.reason;
  answer["candidates"] = Json::array();
  TextTable table = {{"algorithm", "", "parameters", "steps", "messages", "most sent", "estimate", "why"}};
  std::string equations;
  bool all_are_counted = true;
  for (const Candidate& candidate : selector.explain(problem, shape)) {
    const auto cost = cost_of(candidate, problem, shape);
    const auto seconds = seconds_of(candidate, problem, shape);
    const auto by_equations = seconds_by_equations(candidate, problem, shape);
    all_are_counted = all_are_counted && (cost || candidate.algorithm == nullptr || !candidate.eligible);
    if (by_equations) {
      equations += (equations.empty() ? "" : ", ") + name_of(candidate.algorithm) + " " + time_text(by_equations);
    }
    answer["candidates"].push_back(as_json(candidate, cost, seconds, by_equations));
    table.push_back(as_row(candidate, cost, seconds));
  }
  if (json) return print_json(answer);
  print(sentence(problem, shape) + ": " + name_of(choice.algorithm) + " (" + choice.reason + ")\n\n" +
        format_table(table) + (equations.empty() ? "" : "\nequations 3 and 4 of paper 1: " + equations + "\n") +
        "\nsteps, messages and bytes are counted in an idealised run (each rank sends one message and receives one per "
        "step).\nTimes are estimated where the network is known (native: as the best of the baseline algorithms); then "
        "the "
        "choice follows them, otherwise a fixed table.\n" +
        (all_are_counted ? "" : left_uncounted()));
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* command = app.add_subcommand("explain", "What would be chosen for a call, and why.");
  const auto options = std::make_shared<ExplainOptions>();
  command->add_option("collective", options->collective, "In lower case, such as allreduce or alltoall")->required();
  command
      ->add_option("--bytes", options->bytes,
                   "Of the message, or of one block where each rank has its own: 65536, 64KiB")
      ->capture_default_str();
  command->add_option("--ranks", options->ranks)->check(CLI::Range(1, 1 << 24))->capture_default_str();
  command->add_option("--root", options->root)->capture_default_str();
  command->add_option("--arithmetic", options->arithmetic, "Of a reduction: how freely operands may be rearranged")
      ->check(CLI::IsMember(std::vector<std::string>(arithmetic_names.begin(), arithmetic_names.end())))
      ->capture_default_str();
  command->add_option("--element-bytes", options->element_bytes, "Of a reduction")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  add_network_options(*command, options->network);
  command->add_option("--hostfile", options->hostfile, "Which ranks sit where, by a hostfile of Open MPI's or MPICH's");
  command->add_option("--mpi", options->mpi, "Where nodes have several NICs: whose use of them, openmpi or mpich")
      ->check(CLI::IsMember(nic_uses))
      ->capture_default_str();
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] { explain(*options, json->count() > 0); });
}

}  // namespace espalier::tool
