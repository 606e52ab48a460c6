// SPDX-License-Identifier: Apache-2.0
#include "estimate/contest.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "algorithms/over_nodes.hpp"
#include "estimate/bounds.hpp"
#include "estimate/estimate.hpp"
#include "estimate/native.hpp"
#include "estimate/network_cut.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

// Ours must be estimated to take no more of the native MPI's time than this.
constexpr double clear_gain = 0.8;

// What may take this share of another one's time is not worth simulating.
constexpr double close_enough = 0.95;

// Trees that share no link take at most this many times what equations 3 and 4 of paper 1 say, and once more the
// additions, which messages interrupt: simulated on tori of 9 to 128 nodes 1.49 times.
constexpr double formula_margin = 1.5;

constexpr double never = std::numeric_limits<double>::infinity();

// Where libfabric stripes each stream over all NICs, streams that share them are never quite even: no estimate knows by
// how much.
int preference_of(const Contestant& one, const Network& network) {
  const bool shares_links = one.pipeline && one.pipeline->streams > 1;
  return network.nic_use() == NicUse::striped && shares_links ? 0 : one.algorithm->contender->preference;
}

// All ranks; and where nodes have several, one of each, or as many as all have.
std::set<int> leaders_in_contest(const Problem& problem, const Shape& shape) {
  if (unfit_for_leaders(problem, shape) != nullptr) return {0};
  return {0, 1, ranks_by_node(shape)->fewest_ranks()};
}

// Those that are preferred are last.
std::vector<Contestant> contestants(Collective collective, const Shape& shape) {
  std::vector<Contestant> found;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != collective) continue;
    for (const int leaders : leaders_in_contest({.collective = collective}, shape)) {
      if (const auto one = contestant(algorithm, shape, leaders)) found.push_back(*one);
    }
  }
  std::ranges::stable_sort(found, {}, [&](const Contestant& one) { return preference_of(one, *shape.network); });
  return found;
}

double seconds_by_paper(const Contestant& one, const Problem& problem, const Shape& shape) {
  if (!one.pipeline || one.leaders > 0) return never;
  const Cut cut = choice_of(one, problem, shape).cut;
  return pipeline_seconds(*one.pipeline, problem, *shape.network, cut.segment_bytes);
}

// One of ours, or one that the native MPI may use, and between which times it must lie. Those of the native MPI count
// for less, so that ours must gain clearly.
class Entrant {
 public:
  // `ours`: null if it is the native MPI's. `upper`: what is known of it at once.
  Entrant(const Contestant* ours, const Choice& choice, const Shape& shape, double upper)
      : ours_(ours), choice_(choice), shape_(shape), upper_(upper) {}

  [[nodiscard]] const Contestant* ours() const { return ours_; }
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

  const Contestant* ours_;
  Choice choice_;
  Shape shape_;
  double lower_ = 0, upper_;
  int looks_ = 0;
};

// On a torus with one rank for each node nothing but its own links limits a tree, as in the paper.
double max_seconds(const Contestant& one, const Problem& problem, const Shape& shape) {
  const Network& network = *shape.network;
  if (network.torus() == nullptr || shape.size != network.nodes()) return never;
  return formula_margin * seconds_by_paper(one, problem, shape) + arithmetic_seconds(problem, network);
}

// `native_shape`: as the native MPI uses it.
std::vector<Entrant> entrants_of(const std::vector<Contestant>& ours, const Problem& problem, const Shape& shape,
                                 const Shape& native_shape) {
  std::vector<Entrant> entrants;
  for (const Choice& choice : native_choices(problem.collective)) {
    entrants.emplace_back(nullptr, choice, native_shape, never);
  }
  for (const Contestant& one : ours) {
    entrants.emplace_back(&one, choice_of(one, problem, shape), shape, max_seconds(one, problem, shape));
  }
  return entrants;
}

// The last one of those that take least, as far as `takes` says.
template <class Takes>
Entrant* last_of_lowest(std::vector<Entrant>& entrants, const Entrant* other_than, Takes takes) {
  Entrant* found = nullptr;
  for (Entrant& entrant : entrants) {
    if (&entrant == other_than) continue;
    if (found == nullptr || takes(entrant) <= takes(*found)) found = &entrant;
  }
  return found;
}

// Looks closer at those that may be the fastest, until none may be clearly faster than the one that is so far. There
// are two or more.
const Entrant& fastest(std::vector<Entrant>& entrants, const Problem& problem) {
  while (true) {
    Entrant* const first = last_of_lowest(entrants, nullptr, [](const Entrant& one) { return one.upper(); });
    Entrant* const rival = last_of_lowest(entrants, first, [](const Entrant& one) { return one.lower(); });
    if (rival->lower() >= close_enough * first->upper()) return *first;
    const bool first_in_first = !first->is_known() && first->lower() <= rival->lower();
    (first_in_first ? first : rival)->look(problem);
  }
}

// Null: the native MPI.
const Contestant* fastest_by_simulation(const std::vector<Contestant>& ours, const Problem& problem,
                                        const Shape& shape) {
  const Network native_network = as_native_uses(*shape.network);
  std::vector<Entrant> entrants = entrants_of(ours, problem, shape, {shape.size, &native_network});
  return fastest(entrants, problem).ours();
}

// Among more ranks than can be played. Null: the native MPI.
const Contestant* fastest_by_sample(const std::vector<Contestant>& ours, const Problem& problem, const Shape& shape) {
  double best = clear_gain * estimated_native_seconds(problem, shape).value_or(never);
  const Contestant* winner = nullptr;
  for (const Contestant& one : ours) {
    const double seconds = estimated_seconds(choice_of(one, problem, shape), problem, shape);
    if (seconds > best) continue;
    best = seconds;
    winner = &one;
  }
  return winner;
}

}  // namespace

std::optional<NetworkKind> kind_of(const Shape& shape) {
  if (shape.network->torus() != nullptr) return NetworkKind::torus;
  if (!shape.network->sites().empty()) return NetworkKind::switches;
  if (can_be_estimated(shape)) return NetworkKind::graph;
  return std::nullopt;
}

Choice choice_of(const Contestant& one, const Problem& problem, const Shape& shape) {
  const bool by_all = one.leaders == 0;
  const Problem share = by_all ? problem : share_of(problem, leaders_among(one.leaders, *ranks_by_node(shape)));
  const Network& network = by_all ? *shape.network : shape.network->of_leaders();
  return {.algorithm = one.algorithm, .cut = network_cut(one.pipeline, share, network), .leaders = one.leaders};
}

std::optional<Contestant> contestant(const Algorithm& algorithm, const Shape& shape, int leaders) {
  const auto& contender = algorithm.contender;
  if (!contender || contender->on != kind_of(shape)) return std::nullopt;
  const Shape among = leaders > 0 ? shape_of_nodes(shape) : shape;
  if (!exists_for(algorithm, among)) return std::nullopt;
  return Contestant{.algorithm = &algorithm, .pipeline = pipeline_of(algorithm, among), .leaders = leaders};
}

bool has_contest(Collective collective, const Shape& shape) {
  const auto kind = kind_of(shape);
  return !native_choices(collective).empty() && std::ranges::any_of(registry(), [&](const Algorithm& algorithm) {
    return algorithm.collective == collective && algorithm.contender && algorithm.contender->on == kind;
  });
}

std::optional<Contestant> winner_of_contest(const Problem& problem, const Shape& shape) {
  if (!has_contest(problem.collective, shape)) return std::nullopt;
  const std::vector<Contestant> ours = contestants(problem.collective, shape);
  const Contestant* winner =
      can_be_played(shape) ? fastest_by_simulation(ours, problem, shape) : fastest_by_sample(ours, problem, shape);
  if (winner == nullptr) return std::nullopt;
  return *winner;
}

}  // namespace espalier
