// SPDX-License-Identifier: Apache-2.0
// What the registry knows of an algorithm.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "algorithms/candidacy.hpp"
#include "algorithms/order_class.hpp"
#include "algorithms/shapes/tree.hpp"
#include "schedule/builder.hpp"

namespace espalier {

// What must be known of the network (Shape::network) for an algorithm to exist at all.
enum class Needs : std::uint8_t {
  nothing,
  torus,  // the nodes are a torus, all axes of which are rings of three or more
  graph,  // every node can be reached over links between the nodes
};

// Among how many ranks an algorithm exists.
enum class RankCounts : std::uint8_t { any, powers_of_two };

struct Algorithm {
  std::string_view name;  // unique within its collective: "ring"
  Collective collective = Collective::bcast;
  std::string_view description;     // one sentence
  std::string_view source;          // paper or book
  OrderClass order;                 // of a reduction's additions
  bool keeps_rank_order = false;    // also right for operations that do not commute (the verifier checks the claim)
  bool takes_pieces = false;        // the schedule depends on Request::pieces
  bool takes_uneven = false;        // also right where blocks have different sizes, known to their own ranks only
  bool takes_radix = false;         // the schedule depends on Request::radix
  bool is_direct = false;           // nobody passes on or combines what it got, so there is nothing to cut it for
  bool keeps_in_step = false;       // some of its dependencies only keep time: rounds, steps, barriers
  bool differs_by_network = false;  // where no network is known, another algorithm does the very same
  RankCounts ranks = RankCounts::any;
  Rank most_ranks = std::numeric_limits<Rank>::max();  // among more, a rank's schedule would cost too much
  Needs needs = Needs::nothing;
  int (*disjoint_trees)(const Network&) = nullptr;  // how many, if it has trees of which no two share a link
  // On a network that has what it needs; null: it is none, or one along the ranks' numbers (tree).
  Pipeline (*pipeline)(const Network&) = nullptr;
  std::optional<Contender> contender;  // where the network is known
  std::optional<FixedRule> rule;       // where it has no say
  bool is_baseline = false;            // native MPIs use it, too
  bool takes_few_steps = false;        // about as few as can be: where messages are short, nothing else counts
  // Along which all of it flows, if it goes by ranks alone: then ranks may be arranged in it (Request::arrangement).
  TreeOfPlaces tree = nullptr;
  void (*build)(Builder&) = nullptr;
};

// All algorithms, by collective and name.
[[nodiscard]] std::span<const Algorithm> registry();
[[nodiscard]] const Algorithm* find_algorithm(Collective collective, std::string_view name);

// Why it does not exist among this many ranks; null: it does.
[[nodiscard]] const char* unfit_for_rank_count(const Algorithm& algorithm, Rank ranks);
[[nodiscard]] inline bool takes_rank_count(const Algorithm& algorithm, Rank ranks) {
  return unfit_for_rank_count(algorithm, ranks) == nullptr;
}

// Whether it exists there: among this many ranks, and on what is known of the network.
[[nodiscard]] bool has_what_is_needed(Needs needs, const Shape& shape);
[[nodiscard]] inline bool exists_for(const Algorithm& algorithm, const Shape& shape) {
  return takes_rank_count(algorithm, shape.size) && has_what_is_needed(algorithm.needs, shape);
}

// Its pipeline on the shape's network; nothing: it is none there.
[[nodiscard]] std::optional<Pipeline> pipeline_of(const Algorithm& algorithm, const Shape& shape);

// Whether the blocks of its schedules are the segments already: it cuts the message by its length.
[[nodiscard]] inline bool blocks_are_segments(const Algorithm& algorithm) {
  return algorithm.takes_pieces && contract_of(algorithm.collective).division == Division::by_algorithm;
}

// One rank's part; pure. The shape has what the algorithm needs.
[[nodiscard]] Schedule build_schedule(const Algorithm& algorithm, const Request& request);

}  // namespace espalier
