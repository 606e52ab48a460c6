// SPDX-License-Identifier: Apache-2.0
#include "select/network_choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/torus_trees.hpp"
#include "contract/contract.hpp"
#include "select/bounds.hpp"
#include "select/cost_model.hpp"
#include "select/estimate.hpp"
#include "select/fixed_table.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr std::size_t KiB = 1024;

// Below this the number of messages decides, and there the native MPI knows its machine best.
constexpr std::size_t min_bytes = 4 * KiB;
constexpr Rank min_ranks = 4;

// Ours must be estimated to take no more of the native MPI's time than this.
constexpr double clear_gain = 0.8;

// What may take this share of another one's time is not worth simulating.
constexpr double close_enough = 0.95;

// Trees that share no link take no longer than so many times what equations 3 and 4 of paper 1 say, and once more the
// additions, which messages interrupt: simulated on tori of 9 to 128 nodes 1.49 times.
constexpr double formula_margin = 1.5;

// What a message takes of a link beside its payload: those of the MPI and of a packet that is not full, of TCP and IP.
constexpr double header_bytes = 128;

constexpr std::size_t min_segment = 1 * KiB;
constexpr std::size_t max_segment = 1024 * KiB;
// Of several NICs messages up to 64 KiB take one; those in two segments or more can take several.
constexpr std::size_t max_segment_over_nics = 32 * KiB;
constexpr int max_window = 128;

// Links limit a pipeline, rather than processors, while messages keep these busy for no more of the time than this. On
// a shaped torus of 27 hosts (Open MPI 5, 27 ranks on 2 cores) a broadcast of 1 MiB takes 84 ms in segments of 3 KiB,
// 75 in 6 KiB, 75 in 8 KiB, 79 in 12 KiB; of 64 KiB 7.8, 5.7, 5.6 and 7.1 ms.
constexpr double max_processor_share = 0.4;
// For this alone segments are made no longer: then links are so fast that processors are the limit anyway.
constexpr std::size_t long_enough = 8 * KiB;

constexpr double never = std::numeric_limits<double>::infinity();

// An algorithm, and the pipeline that it is; no trees: it is none.
struct Contender {
  std::string_view name;
  Pipeline pipeline;
};

// Equation 3 or 4 of paper 1, where each segment takes its headers along.
double pipeline_seconds(const TreePipeline& pipeline, Collective collective, std::size_t bytes, std::size_t segment) {
  const auto seconds = contract_of(collective).reduces ? reduce_seconds : bcast_seconds;
  const double with_headers = static_cast<double>(segment) + header_bytes;
  return seconds(pipeline, static_cast<double>(bytes) * with_headers / static_cast<double>(segment), with_headers);
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

// Of those that take about as long the last one is taken.
std::vector<Contender> on_switches(Collective collective, int nodes) {
  const int height = std::bit_width(static_cast<unsigned>(nodes));  // of a binary tree
  const Pipeline chain{.trees = 1, .height = nodes - 1};
  switch (collective) {
    case Collective::bcast:
      return {{"scatter_allgather", {}},
              {"sites_chain", chain},
              {"multilane", {.trees = 2, .height = height, .streams = 2}}};
    case Collective::reduce: return {{"chain", chain}, {"rabenseifner", {}}};
    case Collective::allreduce:
      return {{"multilane", {.trees = 2, .height = 2 * height, .passes = 2, .streams = 4}},
              {"rabenseifner", {}},
              {"ring", {}}};
    default: break;
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
    default: break;
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
  if (segment_bytes == 0) return usual_cut.window;
  const double segments = std::ceil(bytes_on_the_way(bytes, network) / static_cast<double>(segment_bytes));
  return static_cast<int>(std::min<double>(usual_cut.window + segments, max_window));
}

// Below this not even the widest window holds what a WAN does, or the whole message.
std::size_t min_segment_for(std::size_t bytes, const Network& network) {
  const auto held = static_cast<std::size_t>(bytes_on_the_way(bytes, network));
  return std::min(rounded_up(held / (max_window - usual_cut.window)), max_segment);
}

// Below this the number of messages limits a long pipeline, rather than its links.
std::size_t min_for_hops(const Pipeline& pipeline, const Network& network) {
  const TreePipeline paper = as_in_paper(pipeline, network);
  return rounded_up(
      static_cast<std::size_t>(paper.trees * paper.hop_seconds * paper.link_bytes_per_second / max_processor_share));
}

std::size_t segment_for(const Pipeline& pipeline, Collective collective, std::size_t bytes, const Network& network) {
  std::size_t least = min_segment_for(bytes, network);
  std::size_t segment = std::max(usual_cut.segment_bytes, least);
  if (pipeline.trees > 0) {
    least = std::max(least, std::min(long_enough, min_for_hops(pipeline, network)));
    segment = best_segment(as_in_paper(pipeline, network), collective, bytes, least);
  }
  if (network.nics_used() == 1) return segment;
  return std::min(segment, std::max({max_segment_over_nics, least, min_for_hops(pipeline, network)}));
}

Cut cut_of(const Pipeline& pipeline, const Problem& problem, const Network& network,
           std::optional<std::size_t> segment_bytes = {}) {
  const std::size_t bytes = problem.bytes();
  Cut cut = usual_cut;
  cut.segment_bytes = segment_bytes ? *segment_bytes : segment_for(pipeline, problem.collective, bytes, network);
  cut.window = window_for(cut.segment_bytes, bytes, network);
  return cut;
}

Choice choice_of(const Contender& contender, const Problem& problem, const Network& network) {
  return {.algorithm = find_algorithm(problem.collective, contender.name),
          .cut = cut_of(contender.pipeline, problem, network)};
}

// Even an MPI that can use several NICs takes one for the messages of a collective.
Network as_native_uses(const Network& network) { return network.with(NicUse::one); }

// Any of them the native MPI may use.
std::vector<Choice> native_choices(Collective collective) {
  std::vector<Choice> choices;
  for (const std::string_view name : usual_algorithms(collective)) {
    choices.push_back({.algorithm = find_algorithm(collective, name), .cut = usual_cut});
  }
  return choices;
}

// Of one rank that adds each element once.
double arithmetic_seconds(const Problem& problem, const Network& network) {
  if (!contract_of(problem.collective).reduces) return 0;
  return static_cast<double>(problem.bytes()) / network.arithmetic_bytes_per_second();
}

// What the native MPI takes over one NIC where there are too many ranks to simulate, by the papers' formulas.
double native_seconds_by_formula(const Problem& problem, const Network& network) {
  const Cluster cluster{
      .nodes = network.nodes(), .latency = network.hop_seconds(), .bytes_per_second = network.bytes_per_second()};
  const auto bytes = static_cast<double>(problem.bytes());
  return arithmetic_seconds(problem, network) +
         std::min(binomial_bcast_seconds(cluster, bytes), scatter_allgather_bcast_seconds(cluster, bytes));
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

// One of ours, or one that the native MPI may use, and between which times it must lie. Those of the native MPI count
// for less, so that ours must gain clearly.
class Entrant {
 public:
  // `ours`: null if it is the native MPI's. `upper`: what is known of it at once.
  Entrant(const Contender* ours, const Choice& choice, const Shape& shape, double upper)
      : ours_(ours), choice_(choice), shape_(shape), upper_(upper) {}

  [[nodiscard]] const Contender* ours() const { return ours_; }
  [[nodiscard]] double lower() const { return lower_; }
  [[nodiscard]] double upper() const { return upper_; }
  [[nodiscard]] bool is_known() const { return looks_ > ranks_looked_at; }

  // Looks closer: at the root, at another rank, and last at all of them, which takes long.
  void look(const Problem& problem) {
    const double weight = ours_ == nullptr ? clear_gain : 1;
    if (looks_ < ranks_looked_at) {
      lower_ = std::max(lower_, weight * min_seconds(choice_, problem, shape_, (problem.root + looks_) % shape_.size));
    } else {
      lower_ = upper_ = weight * estimated_seconds(choice_, problem, shape_);
    }
    ++looks_;
  }

 private:
  static constexpr int ranks_looked_at = 2;

  const Contender* ours_;
  Choice choice_;
  Shape shape_;
  double lower_ = 0, upper_;
  int looks_ = 0;
};

// On a torus with one rank for each node nothing but its own links limits a tree, as in the paper.
double max_seconds(const Contender& contender, const Problem& problem, const Shape& shape) {
  const Network& network = *shape.network;
  if (network.torus() == nullptr || shape.size != network.nodes()) return never;
  return formula_margin * seconds_by_formula(contender, problem, network) + arithmetic_seconds(problem, network);
}

// `native_shape`: as the native MPI uses it.
std::vector<Entrant> entrants_of(const Contest& contest, const Problem& problem, const Shape& shape,
                                 const Shape& native_shape) {
  std::vector<Entrant> entrants;
  for (const Choice& choice : native_choices(problem.collective)) {
    entrants.emplace_back(nullptr, choice, native_shape, never);
  }
  for (const Contender& contender : contest.contenders) {
    entrants.emplace_back(&contender, choice_of(contender, problem, *shape.network), shape,
                          max_seconds(contender, problem, shape));
  }
  return entrants;
}

// The last one of those that take least, as far as `takes` tells.
template <class Takes>
Entrant* last_of_lowest(std::vector<Entrant>& entrants, const Entrant* other_than, Takes takes) {
  Entrant* found = nullptr;
  for (Entrant& entrant : entrants) {
    if (&entrant == other_than) continue;
    if (found == nullptr || takes(entrant) <= takes(*found)) found = &entrant;
  }
  return found;
}

// Looks closer at those that may be the fastest, until none may be clearly faster than the one that is so far.
const Entrant& fastest(std::vector<Entrant>& entrants, const Problem& problem) {
  while (true) {
    Entrant* const first = last_of_lowest(entrants, nullptr, [](const Entrant& one) { return one.upper(); });
    Entrant* const rival = last_of_lowest(entrants, first, [](const Entrant& one) { return one.lower(); });
    if (rival->lower() >= close_enough * first->upper()) return *first;
    const bool first_comes_first = !first->is_known() && first->lower() <= rival->lower();
    (first_comes_first ? first : rival)->look(problem);
  }
}

// Null: the native MPI.
const Contender* fastest_by_simulation(const Contest& contest, const Problem& problem, const Shape& shape) {
  const Network native_network = as_native_uses(*shape.network);
  std::vector<Entrant> entrants = entrants_of(contest, problem, shape, {shape.size, &native_network});
  return fastest(entrants, problem).ours();
}

// Null: the native MPI.
const Contender* fastest_by_formula(const Contest& contest, const Problem& problem, const Network& network) {
  double best = clear_gain * native_seconds_by_formula(problem, network);
  const Contender* winner = nullptr;
  for (const Contender& contender : contest.contenders) {
    const double seconds = seconds_by_formula(contender, problem, network);
    if (seconds > best) continue;
    best = seconds;
    winner = &contender;
  }
  return winner;
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
  const bool is_simulated = can_be_estimated(shape);
  const Contest contest = contest_on(*shape.network, problem.collective, is_simulated);
  const Contender* const winner = is_simulated ? fastest_by_simulation(contest, problem, shape)
                                               : fastest_by_formula(contest, problem, *shape.network);
  if (winner == nullptr) return {.reason = native_reason};
  return {find_algorithm(problem.collective, winner->name), winner->pipeline, contest.reason};
}

std::optional<Choice> NetworkChooser::choose(const Problem& problem, const Shape& shape) {
  if (shape.network == nullptr || problem.collective == Collective::barrier || shape.size < min_ranks ||
      (contract_of(problem.collective).reduces && problem.arithmetic == Arithmetic::rank_order)) {
    return std::nullopt;
  }
  const Network& network = *shape.network;
  if (network.nodes() < min_ranks || (network.sites().empty() && !network.is_connected())) return std::nullopt;
  if (problem.bytes() < min_bytes) return Choice{.reason = native_reason};
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] =
      decisions_.try_emplace({network.signature(), problem.collective, std::bit_width(problem.bytes())}, Decision{});
  if (is_new) found->second = decide(representative_of(problem), shape);
  const Decision& decision = found->second;
  if (decision.algorithm == nullptr) return Choice{.reason = decision.reason};
  return Choice{
      .algorithm = decision.algorithm, .cut = cut_of(decision.pipeline, problem, network), .reason = decision.reason};
}

Cut NetworkChooser::cut_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape,
                            std::optional<std::size_t> segment_bytes) {
  if (shape.network != nullptr) {
    const Pipeline pipeline = segment_bytes ? Pipeline{} : pipeline_of(algorithm, shape);
    return cut_of(pipeline, problem, *shape.network, segment_bytes);
  }
  Cut cut = usual_cut;
  if (segment_bytes) cut.segment_bytes = *segment_bytes;
  return cut;
}

std::optional<double> estimated_native_seconds(const Problem& problem, const Shape& shape) {
  const std::vector<Choice> choices = native_choices(problem.collective);
  if (!can_be_estimated(shape) || choices.empty()) return std::nullopt;
  const Network native_network = as_native_uses(*shape.network);
  double best = never;
  for (const Choice& choice : choices) {
    best = std::min(best, estimated_seconds(choice, problem, {shape.size, &native_network}));
  }
  return best;
}

std::size_t best_segment(const TreePipeline& pipeline, Collective collective, std::size_t bytes, std::size_t least) {
  std::size_t best = max_segment;
  const auto consider = [&](std::size_t segment) {
    if (segment < least || segment >= max_segment) return;
    const auto seconds = [&](std::size_t one) { return pipeline_seconds(pipeline, collective, bytes, one); };
    if (seconds(segment) <= seconds(best)) best = segment;
  };
  for (std::size_t power = max_segment; power >= min_segment; power /= 2) {
    consider(power / 2 * 3);
    consider(power);
  }
  return best;
}

}  // namespace espalier
