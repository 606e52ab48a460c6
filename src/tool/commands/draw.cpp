// SPDX-License-Identifier: Apache-2.0
// draw: any schedule, as text or as SVG.
#include <memory>
#include <sstream>

#include "algorithms/over_nodes.hpp"
#include "core/choice.hpp"
#include "draw/graph_view.hpp"
#include "draw/lattice_view.hpp"
#include "draw/text.hpp"
#include "draw/time_view.hpp"
#include "settings/table.hpp"
#include "tool/loads.hpp"
#include "tool/networks.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"
#include "topology/network.hpp"

namespace espalier::tool {

namespace {

struct DrawOptions {
  std::string algorithm;
  Rank ranks = 8;
  Rank root = 0;
  int segments = 4;
  int window = default_cut.window;
  int radix = default_radix;
  int leaders = 0;
  int ranks_per_node = 1;
  bool in_place = false;
  std::string format = "text";
  std::string view;  // empty: lattice where there is one, else time
  Rank only = no_rank;
  std::string file;
  NetworkOptions network;
  std::string loads;
};

constexpr Rank max_drawn_ranks = 1024;
constexpr Rank max_ranks_around_one = 1 << 20;  // which is drawn alone
constexpr int max_segments = 4096;

// Whether the lattice shows how its messages travel.
bool goes_along_links(const Algorithm& algorithm, const Network* network) {
  return algorithm.needs != Needs::nothing && network != nullptr && network->box() != nullptr;
}

void check_network(const Algorithm& algorithm, const DrawOptions& options, const Shape& shape) {
  if (!has_what_is_needed(algorithm.needs, shape)) {
    throw BadRequest(full_name(algorithm) + " needs " + (algorithm.needs == Needs::torus ? "a torus" : "a network") +
                     "; for example: --torus 3x3x3");
  }
  if (const char* const reason = unfit_for_rank_count(algorithm, shape.size)) {
    throw BadRequest(full_name(algorithm) + " among " + std::to_string(shape.size) + " ranks: " + reason +
                     "; for example: --ranks 8");
  }
  if (options.view == "lattice" && !goes_along_links(algorithm, shape.network)) {
    throw BadRequest("--view lattice: for algorithms that send along the links of a torus or mesh");
  }
}

// Ranks that follow one another share a node.
RanksByNode nodes_of(const DrawOptions& options) {
  std::vector<int> node_of;
  for (Rank rank = 0; rank < options.ranks; ++rank) node_of.push_back(rank / options.ranks_per_node);
  return RanksByNode(node_of);
}

void check_leaders(const Algorithm& algorithm, const DrawOptions& options, const Shape& shape) {
  if (options.leaders == 0) return;
  if (const char* const reason = unfit_for_leaders({.collective = algorithm.collective}, shape))
    throw BadRequest("--leaders " + std::to_string(options.leaders) + ": " + reason +
                     "; for example: --ranks 8 --ranks-per-node 2");
}

void check_size(const DrawOptions& options) {
  if (options.ranks <= max_drawn_ranks) return;
  const char* what = options.network.given() ? " nodes" : " ranks";
  throw BadRequest(std::to_string(options.ranks) + what + " are too many to draw; allowed: " +
                   std::to_string(max_drawn_ranks) + ", or one of them as text: --rank 5");
}

std::string drawing(DrawOptions options) {
  const Algorithm& algorithm = requested_algorithm(options.algorithm);
  std::unique_ptr<const Network> network;
  MeasuredLoads loads;
  if (options.network.given()) {
    const Machine machine = requested_machine(options.network);
    if (!options.loads.empty()) loads = loads_in(text_of("--loads", options.loads), options.loads, machine);
    network = one_rank_per_node(machine);
    options.ranks = network->nodes();
    if (options.view.empty() && goes_along_links(algorithm, network.get())) options.view = "lattice";
  }
  if (options.view.empty() || (options.view == "lattice" && options.format == "text")) options.view = "time";
  const RanksByNode by_node = nodes_of(options);
  const Shape shape{options.ranks, network.get(), &by_node};
  check_leaders(algorithm, options, shape);
  check_network(algorithm, options, options.leaders > 0 ? shape_of_nodes(shape) : shape);
  check_root(options.root, options.ranks);
  if (options.only >= options.ranks) throw BadRequest("--rank " + std::to_string(options.only) + ": no such rank");
  const SweepCase all =
      case_of(algorithm, shape, options.root, options.in_place, options.segments, options.radix, options.leaders);
  Subject subject{&algorithm, options.root, blocks_are_segments(algorithm) ? 1 : options.segments, options.window};
  if (options.format == "text" && options.only != no_rank) {
    // However many there are, only its schedule is built.
    const Schedule schedule = all.build(options.only);
    subject.ranks = {&schedule, 1};
    subject.one_of = options.ranks;
    return draw_text(subject, options.only);
  }
  check_size(options);
  const std::vector<Schedule> ranks = all.build();
  subject.ranks = ranks;
  if (options.format == "text") return draw_text(subject);
  if (options.view == "lattice") return draw_lattice_view(subject, *network, loads);
  const Timeline timeline = run_idealised(ranks, subject.segments, subject.window);
  return options.view == "time" ? draw_time_view(subject, timeline) : draw_graph_view(subject, timeline);
}

}  // namespace

void add_draw(CLI::App& app) {
  CLI::App* command = app.add_subcommand("draw", "A schedule of all ranks, as text or as SVG.");
  const auto options = std::make_shared<DrawOptions>();
  command->add_option("algorithm", options->algorithm, "COLLECTIVE:ALGORITHM, for example allreduce:ring")->required();
  command->add_option("--ranks", options->ranks)->check(CLI::Range(1, max_ranks_around_one))->capture_default_str();
  command->add_option("--root", options->root)->capture_default_str();
  command
      ->add_option("--segments", options->segments, "Per block; or the number of blocks, if the algorithm chooses it")
      ->check(CLI::Range(1, max_segments))
      ->capture_default_str();
  command->add_option("--window", options->window, window_parameter.description.data())
      ->check(CLI::Range(window_parameter.limits.min, window_parameter.limits.max))
      ->capture_default_str();
  command->add_option("--radix", options->radix, radix_parameter.description.data())
      ->check(CLI::Range(radix_parameter.limits.min, radix_parameter.limits.max))
      ->capture_default_str();
  command->add_option("--leaders", options->leaders, leaders_parameter.description.data())
      ->check(CLI::Range(leaders_parameter.limits.min, leaders_parameter.limits.max));
  command->add_option("--ranks-per-node", options->ranks_per_node, "Ranks that share a node, as those of leaders do")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--in-place", options->in_place, "Inputs lie in the output buffers");
  command->add_option("--format", options->format)->check(CLI::IsMember({"text", "svg"}))->capture_default_str();
  command->add_option("--view", options->view, "SVG: messages over time, who sends to whom, or trees on the lattice")
      ->check(CLI::IsMember({"time", "graph", "lattice"}));
  add_network_options(*command, options->network);
  command->add_option("--loads", options->loads, "Lattice: a file of measured bytes, lines of FROM TO BYTES");
  command->add_option("--rank", options->only, "Text: of this rank only")->check(CLI::NonNegativeNumber);
  command->add_option("-o,--output", options->file, "Write to this file, not to standard output");
  command->callback([options] { write(options->file, drawing(*options)); });
}

}  // namespace espalier::tool
