// SPDX-License-Identifier: Apache-2.0
// levels: what collectives would take inside a node, by a model of its levels, next to what others have published.
#include <cstdio>
#include <memory>

#include "algorithms/algorithm.hpp"
#include "levels/known_nodes.hpp"
#include "levels/levels_reader.hpp"
#include "levels/prediction.hpp"
#include "levels/published.hpp"
#include "settings/number.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

struct LevelsOptions {
  std::vector<std::string> collectives = {"allreduce", "bcast", "barrier", "allgather"};
  std::string node = "epyc-7742";
  int ranks = 0;  // 0: one on each core
  std::vector<std::string> bytes = {"8", "64KiB", "1MiB"};
  std::string by = std::string(handover_names.front());
  std::string place = "in-order";
  std::string segment;  // empty: the fastest of several
  bool all = false;
};

constexpr std::size_t element_bytes = 8;

NodeLevels requested_node(const std::string& name) {
  std::string allowed;
  for (const KnownText& known : known_nodes()) {
    if (known.name == name) return levels_from_toml(known.text, name + ".toml");
    allowed += std::string(known.name) + ", ";
  }
  if (name.find('.') == std::string::npos && name.find('/') == std::string::npos)
    throw BadRequest("--node " + name + ": no such node; allowed: " + allowed + "or a file in TOML");
  return levels_from_toml(text_of("--node", name), name);
}

NodeJob requested_job(const LevelsOptions& options, const NodeLevels& node) {
  const int ranks = options.ranks == 0 ? node.cores() : options.ranks;
  if (ranks > node.cores())
    throw BadRequest("--ranks " + std::to_string(ranks) + ": the node has " + std::to_string(node.cores()) + " cores");
  const auto by = std::ranges::find(handover_names, options.by) - handover_names.begin();
  return {.node = node,
          .core_of = options.place == "in-order" ? placed_in_order(ranks) : placed_in_turn(node, ranks),
          .handover = static_cast<Handover>(by)};
}

Problem problem_of(Collective collective, std::size_t bytes) {
  Problem problem{.collective = collective, .count = bytes};
  if (contract_of(collective).reduces) problem = {collective, 0, bytes / element_bytes, element_bytes};
  return problem;
}

// A barrier has no message.
std::vector<Problem> requested_problems(const LevelsOptions& options) {
  std::vector<Problem> problems;
  for (const std::string& name : options.collectives) {
    const Collective collective = requested_collective(name);
    if (collective == Collective::barrier) {
      problems.push_back({.collective = collective});
      continue;
    }
    for (const std::string& size : options.bytes) {
      const std::size_t bytes = requested_size("--bytes", size);
      if (bytes == 0 || bytes % element_bytes != 0)
        throw BadRequest("--bytes " + size + ": allowed: multiples of " + std::to_string(element_bytes));
      problems.push_back(problem_of(collective, bytes));
    }
  }
  return problems;
}

std::vector<std::size_t> requested_segments(const LevelsOptions& options) {
  if (options.segment.empty()) return {std::begin(segments_on_nodes), std::end(segments_on_nodes)};
  return {requested_size("--segment", options.segment)};
}

std::string parameters_of(const Choice& choice) {
  std::string text(choice.algorithm->name);
  if (choice.algorithm->takes_radix) text += ",radix=" + std::to_string(choice.radix);
  if (choice.cut.segment_bytes > 0) text += ",segment=" + format_size(choice.cut.segment_bytes);
  return text;
}

std::string short_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, number < 100 ? "%.1f" : "%.0f", number);
  return text;
}

// In the largest unit of which there are 10.
std::string bytes_text(double bytes) {
  constexpr double KiB = 1024, MiB = KiB * KiB;
  char text[32];
  const double unit = bytes >= 10 * MiB ? MiB : bytes >= 10 * KiB ? KiB : 1;
  std::snprintf(text, sizeof text, "%.0f%s", bytes / unit, unit == MiB ? "MiB" : unit == KiB ? "KiB" : "");
  return text;
}

// As others have it for the same call on the same node.
class Publications {
 public:
  Publications(const std::string& node, Rank ranks) {
    for (const PublishedTime& one : published_from_toml(published_times().text, "published.toml")) {
      if (one.node == node && one.ranks == ranks) times_.push_back(one);
    }
  }

  [[nodiscard]] std::vector<PublishedTime> of(const Problem& problem) const {
    std::vector<PublishedTime> found;
    for (const PublishedTime& one : times_) {
      if (one.collective == problem.collective && one.bytes == problem.bytes()) found.push_back(one);
    }
    return found;
  }
  [[nodiscard]] std::string sources() const {
    return times_.empty() ? "" : "\nPublished: " + times_.front().source + "\n";
  }

 private:
  std::vector<PublishedTime> times_;
};

std::string published_text(const std::vector<PublishedTime>& times, const char* library) {
  for (const PublishedTime& one : times) {
    if (one.library == library) return short_number(1e6 * one.seconds);
  }
  return "-";
}

std::string size_text(const Problem& problem) {
  return problem.collective == Collective::barrier ? "-" : format_size(problem.bytes());
}

struct PredictedCall {
  Problem problem;
  std::vector<Prediction> predictions;
};

Json as_json(const PredictedCall& answer, const NodeJob& job, const Publications& publications) {
  Json json = {{"collective", name_of(answer.problem.collective)}, {"bytes", answer.problem.bytes()}};
  json["algorithms"] = Json::array();
  for (const auto& [choice, cost] : answer.predictions) {
    Json lines;
    for (std::size_t level = 0; level < cost.lines.size(); ++level)
      lines[job.node.levels()[level].name] = cost.lines[level];
    json["algorithms"].push_back({{"algorithm", choice.algorithm->name},
                                  {"segment", choice.cut.segment_bytes},
                                  {"radix", choice.algorithm->takes_radix ? Json(choice.radix) : Json(nullptr)},
                                  {"seconds", cost.seconds},
                                  {"lines", lines},
                                  {"path_bytes", cost.path_bytes},
                                  {"path_messages", cost.path_messages},
                                  {"most_bytes", cost.most_bytes}});
  }
  json["published"] = Json::array();
  for (const PublishedTime& one : publications.of(answer.problem)) {
    json["published"].push_back({{"library", one.library}, {"seconds", one.seconds}, {"source", one.source}});
  }
  return json;
}

std::string times_table(const std::vector<PredictedCall>& answers, const Publications& publications) {
  TextTable table = {{"collective", "bytes", "algorithm", "us", "ext_mpi", "MPICH", "Open MPI"}};
  for (const auto& [problem, predictions] : answers) {
    const auto published = publications.of(problem);
    for (const auto& [choice, cost] : predictions) {
      table.push_back({std::string(name_of(problem.collective)), size_text(problem), parameters_of(choice),
                       short_number(1e6 * cost.seconds), published_text(published, "ext_mpi"),
                       published_text(published, "MPICH"), published_text(published, "Open MPI")});
    }
  }
  return format_table(table);
}

std::string traffic_table(const std::vector<PredictedCall>& answers, const NodeJob& job) {
  TextTable table = {{"collective", "bytes", "algorithm", "path", "hops", "most"}};
  for (const NodeLevel& level : job.node.levels()) table.front().push_back(level.name);
  for (const auto& [problem, predictions] : answers) {
    for (const auto& [choice, cost] : predictions) {
      table.push_back({std::string(name_of(problem.collective)), size_text(problem),
                       std::string(choice.algorithm->name), bytes_text(cost.path_bytes),
                       std::to_string(cost.path_messages), bytes_text(cost.most_bytes)});
      for (const std::uint64_t lines : cost.lines) table.back().push_back(std::to_string(lines));
    }
  }
  return format_table(table);
}

void print_tables(const std::vector<PredictedCall>& answers, const NodeJob& job, const Publications& publications) {
  print(job.node.name() + ", " + std::to_string(job.core_of.size()) + " ranks, by the model:\n\n" +
        times_table(answers, publications) +
        "\nBytes copied and reduced on the path to the last end, messages on it, the most bytes of one rank;\n"
        "then the cache lines that cross each level:\n\n" +
        traffic_table(answers, job) + publications.sources());
}

void levels(const LevelsOptions& options, bool json) {
  const NodeLevels node = requested_node(options.node);
  const NodeJob job = requested_job(options, node);
  const Publications publications(options.node, static_cast<Rank>(job.core_of.size()));
  const std::vector<std::size_t> segments = requested_segments(options);
  std::vector<PredictedCall> answers;
  for (const Problem& problem : requested_problems(options)) {
    answers.push_back({problem, predictions(problem, job, segments)});
    if (!options.all && answers.back().predictions.size() > 1) answers.back().predictions.resize(1);
  }
  if (!json) return print_tables(answers, job, publications);
  Json answer = {{"node", node.name()}, {"ranks", job.core_of.size()}, {"by", options.by}, {"place", options.place}};
  for (const PredictedCall& one : answers) answer["calls"].push_back(as_json(one, job, publications));
  print_json(answer);
}

}  // namespace

void add_levels(CLI::App& app) {
  CLI::App* command = app.add_subcommand("levels", "What collectives would take inside a node, by a model.");
  const auto options = std::make_shared<LevelsOptions>();
  command->add_option("collectives", options->collectives, "In lower case, such as allreduce or bcast")
      ->capture_default_str();
  command->add_option("--node", options->node, "One that is known, or a file in TOML")->capture_default_str();
  command->add_option("--ranks", options->ranks, "One for each core, if it is not said")->check(CLI::Range(1, 1 << 12));
  command->add_option("--bytes", options->bytes, "Of the message, or of a rank's block: 8,64KiB")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--by", options->by, "How messages are handed over: streams, staged, lent or mapped")
      ->check(CLI::IsMember(std::vector<std::string>(handover_names.begin(), handover_names.end())))
      ->capture_default_str();
  command->add_option("--place", options->place, "Ranks on cores: in-order, or in-turn over the outermost groups")
      ->check(CLI::IsMember({"in-order", "in-turn"}))
      ->capture_default_str();
  command->add_option("--segment", options->segment, "In which messages are cut; 0: they are not. Else the fastest");
  command->add_flag("--all", options->all, "All algorithms, not the fastest alone");
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] { levels(*options, json->count() > 0); });
}

}  // namespace espalier::tool
