// SPDX-License-Identifier: Apache-2.0
#include "select/network_choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/torus_trees.hpp"
#include "select/cost_model.hpp"
#include "select/estimate.hpp"
#include "select/fixed_table.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr std::size_t KiB = 1024;

// Below this the number of messages decides, and there the native MPI knows its machine best.
constexpr std::size_t least_bytes = 4 * KiB;
constexpr Rank least_ranks = 4;

// Ours must be estimated to take no more of the native MPI's time than this.
constexpr double clear_gain = 0.8;

constexpr std::size_t least_segment = 1 * KiB;
constexpr std::size_t most_segment = 1024 * KiB;
// Of several NICs messages up to 64 KiB take one; those in two segments or more can take several.
constexpr std::size_t most_segment_over_nics = 32 * KiB;
constexpr int most_window = 128;

constexpr double never = std::numeric_limits<double>::infinity();

// An algorithm, and the pipeline that it is; no trees: it is none.
struct Contender {
  std::string_view name;
  Pipeline pipeline;
};

// Equation 3 or 4 of paper 1.
double pipeline_seconds(const TreePipeline& pipeline, Collective collective, std::size_t bytes, std::size_t segment) {
  const auto seconds = reduces(collective) ? reduce_seconds : bcast_seconds;
  return seconds(pipeline, static_cast<double>(bytes), static_cast<double>(segment));
}

const char* const torus_reason = "torus: trees along its links that share none of them";
const char* const graph_reason = "neighbours are known: trees along their links that share none of them";
const char* const switched_reason = "switched network: the fastest by estimate";
const char* const native_reason = "network: no clear gain estimated";

int height_of(const Packing& packing) {
  int height = 0;
  for (const std::vector<int>& parents : packing.parents) {
    for (std::size_t node = 0; node < parents.size(); ++node) {
      int depth = 0;
      for (int at = static_cast<int>(node); parents[at] != no_node; at = parents[at]) ++depth;
      height = std::max(height, depth);
    }
  }
  return height;
}

std::vector<Contender> on_torus(Collective collective, const Network& network) {
  const Lattice& torus = network.torus()->lattice;
  const int trees = torus.dimensions(), height = torus_tree_height(torus);
  if (collective == Collective::allreduce)
    return {{"trinaryx3_fused", {.trees = trees, .height = 2 * height, .passes = 2}}};
  return {{"trinaryx6", {.trees = 2 * trees, .height = height}}};
}

std::vector<Contender> on_graph(Collective collective, const Network& network) {
  const Packing& packing = network.packing(0);
  const int passes = collective == Collective::allreduce ? 2 : 1;
  return {{"packed",
           {.trees = std::max(1, packing.trees()),
            .height = height_of(packing) * passes,
            .passes = passes,
            .streams = passes}}};
}

std::vector<Contender> on_switches(Collective collective, int nodes) {
  const int height = std::bit_width(static_cast<unsigned>(nodes));  // of a binary tree
  const Pipeline chain{.trees = 1, .height = nodes - 1};
  switch (collective) {
    case Collective::bcast:
      return {{"multilane", {.trees = 2, .height = height, .streams = 2}},
              {"sites_chain", chain},
              {"scatter_allgather", {}}};
    case Collective::reduce: return {{"chain", chain}, {"rabenseifner", {}}};
    case Collective::allreduce:
      return {{"multilane", {.trees = 2, .height = 2 * height, .passes = 2, .streams = 4}},
              {"ring", {}},
              {"rabenseifner", {}}};
    case Collective::barrier: break;
  }
  return {};
}

std::span<const std::string_view> usual_algorithms(Collective collective) {
  static constexpr std::string_view bcast[] = {"knomial", "scatter_allgather"};
  static constexpr std::string_view reduce[] = {"binomial", "rabenseifner"};
  static constexpr std::string_view allreduce[] = {"recursive_doubling", "rabenseifner"};
  switch (collective) {
    case Collective::bcast: return bcast;
    case Collective::reduce: return reduce;
    case Collective::allreduce: return allreduce;
    case Collective::barrier: break;
  }
  return {};
}

// As equations 3 and 4 of paper 1 have it. What does not depend on the segment may be somewhat wrong here.
TreePipeline as_in_paper(const Pipeline& pipeline, const Network& network) {
  return {.trees = pipeline.trees,
          .height = pipeline.height,
          .hop_seconds = network.hop_seconds() * pipeline.passes,
          .link_bytes_per_second = network.node_bytes_per_second() / pipeline.streams,
          .reduction_bytes_per_second = network.arithmetic_bytes_per_second()};
}

// To a power of two, or to the middle between two.
std::size_t rounded_up(std::size_t bytes) {
  const std::size_t power = std::bit_ceil(bytes);
  return power / 4 * 3 >= bytes ? power / 4 * 3 : power;
}

// What a node can have on its way over a WAN until a receiver's word of it is back: at times it is all of one stream.
double bytes_on_the_way(std::size_t bytes, const Network& network) {
  return std::min(2 * network.wan_seconds() * network.node_bytes_per_second(), static_cast<double>(bytes));
}

// What is on its way must be within the window, too.
int window_for(std::size_t segment_bytes, std::size_t bytes, const Network& network) {
  if (segment_bytes == 0) return usual_parameters.window;
  const double segments = std::ceil(bytes_on_the_way(bytes, network) / static_cast<double>(segment_bytes));
  return static_cast<int>(std::min<double>(usual_parameters.window + segments, most_window));
}

// Below this not even the widest window holds what a WAN does, or the whole message.
std::size_t least_segment_for(std::size_t bytes, const Network& network) {
  const auto held = static_cast<std::size_t>(bytes_on_the_way(bytes, network));
  return std::min(rounded_up(held / (most_window - usual_parameters.window)), most_segment);
}

// Below this the number of messages limits a long pipeline, rather than its links.
std::size_t least_for_hops(const Pipeline& pipeline, const Network& network) {
  const TreePipeline paper = as_in_paper(pipeline, network);
  return rounded_up(static_cast<std::size_t>(paper.trees * paper.hop_seconds * paper.link_bytes_per_second));
}

std::size_t segment_for(const Pipeline& pipeline, Collective collective, std::size_t bytes, const Network& network) {
  const std::size_t least = least_segment_for(bytes, network);
  std::size_t segment = std::max(usual_parameters.segment_bytes, least);
  if (pipeline.trees > 0) segment = best_segment(as_in_paper(pipeline, network), collective, bytes, least);
  if (network.nics_used() == 1) return segment;
  return std::min(segment, std::max({most_segment_over_nics, least, least_for_hops(pipeline, network)}));
}

Parameters parameters_of(const Pipeline& pipeline, const Problem& problem, const Network& network,
                         std::optional<std::size_t> segment_bytes = {}) {
  const std::size_t bytes = problem.bytes();
  Parameters parameters = usual_parameters;
  parameters.segment_bytes = segment_bytes ? *segment_bytes : segment_for(pipeline, problem.collective, bytes, network);
  parameters.window = window_for(parameters.segment_bytes, bytes, network);
  return parameters;
}

Choice choice_of(const Contender& contender, const Problem& problem, const Network& network) {
  return {.algorithm = find_algorithm(problem.collective, contender.name),
          .parameters = parameters_of(contender.pipeline, problem, network)};
}

double seconds_if_below(double limit, const Choice& choice, const Problem& problem, const Shape& shape) {
  const bool may_be = limit == never || least_seconds(choice, problem, shape) < limit;
  return may_be ? estimated_seconds(choice, problem, shape) : never;
}

// Might the native MPI come close to this? Only what could is played through.
bool native_is_near(double seconds, const Problem& problem, const Shape& shape) {
  return std::ranges::any_of(usual_algorithms(problem.collective), [&](std::string_view name) {
    const Choice choice{.algorithm = find_algorithm(problem.collective, name), .parameters = usual_parameters};
    return clear_gain * least_seconds(choice, problem, shape) <= seconds &&
           clear_gain * estimated_seconds(choice, problem, shape) <= seconds;
  });
}

// The same where there are too many ranks to play them through, by the papers' formulas.
bool native_is_near_by_formula(double seconds, const Problem& problem, const Network& network) {
  const Cluster cluster{
      .nodes = network.nodes(), .latency = network.hop_seconds(), .bytes_per_second = network.node_bytes_per_second()};
  const auto bytes = static_cast<double>(problem.bytes());
  const double arithmetic = reduces(problem.collective) ? bytes / network.arithmetic_bytes_per_second() : 0;
  const double messages =
      std::min(binomial_bcast_seconds(cluster, bytes), scatter_allgather_bcast_seconds(cluster, bytes));
  return clear_gain * (arithmetic + messages) <= seconds;
}

double seconds_by_formula(const Contender& contender, const Problem& problem, const Network& network) {
  if (contender.pipeline.trees == 0) return never;
  const std::size_t segment = segment_for(contender.pipeline, problem.collective, problem.bytes(), network);
  return pipeline_seconds(as_in_paper(contender.pipeline, network), problem.collective, problem.bytes(), segment);
}

// In the middle between two powers of two, and of doubles: the decision is that of all sizes there.
Problem representative_of(const Problem& problem) {
  constexpr std::size_t element = 8;
  const std::size_t middle = std::bit_floor(problem.bytes()) / 2 * 3;
  return {.collective = problem.collective, .count = middle / element, .element_bytes = element};
}

struct Contest {
  std::vector<Contender> contenders;
  const char* reason = "";
};

Contest contest_on(const Network& network, Collective collective, bool may_pack) {
  if (network.torus() != nullptr) return {on_torus(collective, network), torus_reason};
  if (!network.sites().empty()) return {on_switches(collective, network.nodes()), switched_reason};
  if (may_pack) return {on_graph(collective, network), graph_reason};
  return {};
}

// None if it is no contender. Trees are only packed for those that want them, and for few nodes: it takes long.
Pipeline pipeline_of(const Algorithm& algorithm, const Shape& shape) {
  const bool may_pack = algorithm.needs == Needs::graph && can_be_estimated(shape);
  const Contest contest = contest_on(*shape.network, algorithm.collective, may_pack);
  const auto found = std::ranges::find(contest.contenders, algorithm.name, &Contender::name);
  return found == contest.contenders.end() ? Pipeline{} : found->pipeline;
}

}  // namespace

NetworkChooser::Decision NetworkChooser::decide(const Problem& problem, const Shape& shape) {
  const Network& network = *shape.network;
  const bool is_played = can_be_estimated(shape);
  const Contest contest = contest_on(network, problem.collective, is_played);
  double best = never;
  Decision decision;
  for (const Contender& contender : contest.contenders) {
    const double seconds = is_played ? seconds_if_below(best, choice_of(contender, problem, network), problem, shape)
                                     : seconds_by_formula(contender, problem, network);
    if (seconds >= best) continue;
    best = seconds;
    decision = {find_algorithm(problem.collective, contender.name), contender.pipeline, contest.reason};
  }
  const bool is_native =
      is_played ? native_is_near(best, problem, shape) : native_is_near_by_formula(best, problem, network);
  return is_native ? Decision{.reason = native_reason} : decision;
}

std::optional<Choice> NetworkChooser::choose(const Problem& problem, const Shape& shape) {
  if (shape.network == nullptr || problem.collective == Collective::barrier || shape.size < least_ranks ||
      (reduces(problem.collective) && problem.arithmetic == Arithmetic::rank_order)) {
    return std::nullopt;
  }
  const Network& network = *shape.network;
  if (network.nodes() < least_ranks || (network.sites().empty() && !network.is_connected())) return std::nullopt;
  if (problem.bytes() < least_bytes) return Choice{.reason = native_reason};
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] =
      decisions_.try_emplace({network.signature(), problem.collective, std::bit_width(problem.bytes())}, Decision{});
  if (is_new) found->second = decide(representative_of(problem), shape);
  const Decision& decision = found->second;
  if (decision.algorithm == nullptr) return Choice{.reason = decision.reason};
  return Choice{decision.algorithm, parameters_of(decision.pipeline, problem, network), decision.reason};
}

Parameters NetworkChooser::parameters_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape,
                                          std::optional<std::size_t> segment_bytes) {
  if (shape.network != nullptr) {
    const Pipeline pipeline = segment_bytes ? Pipeline{} : pipeline_of(algorithm, shape);
    return parameters_of(pipeline, problem, *shape.network, segment_bytes);
  }
  Parameters parameters = usual_parameters;
  if (segment_bytes) parameters.segment_bytes = *segment_bytes;
  return parameters;
}

std::optional<double> estimated_native_seconds(const Problem& problem, const Shape& shape) {
  const std::span<const std::string_view> usual = usual_algorithms(problem.collective);
  if (!can_be_estimated(shape) || usual.empty()) return std::nullopt;
  double best = never;
  for (const std::string_view name : usual) {
    const Choice choice{.algorithm = find_algorithm(problem.collective, name), .parameters = usual_parameters};
    best = std::min(best, estimated_seconds(choice, problem, shape));
  }
  return best;
}

std::size_t best_segment(const TreePipeline& pipeline, Collective collective, std::size_t bytes, std::size_t least) {
  std::size_t best = most_segment;
  const auto consider = [&](std::size_t segment) {
    if (segment < least || segment >= most_segment) return;
    const auto seconds = [&](std::size_t one) { return pipeline_seconds(pipeline, collective, bytes, one); };
    if (seconds(segment) <= seconds(best)) best = segment;
  };
  for (std::size_t power = most_segment; power >= least_segment; power /= 2) {
    consider(power / 2 * 3);
    consider(power);
  }
  return best;
}

}  // namespace espalier
