// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <iterator>
#include <stdexcept>

#include "algorithms/algorithm.hpp"
#include "algorithms/over_nodes.hpp"
#include "topology/network.hpp"

namespace espalier {

#define ALGORITHM(name) extern const Algorithm name;
#include "algorithms/registry.def"
#undef ALGORITHM

std::span<const Algorithm> registry() {
  static const Algorithm algorithms[] = {
#define ALGORITHM(name) name,
#include "algorithms/registry.def"
#undef ALGORITHM
  };
  return algorithms;
}

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective == collective && algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

const char* unfit_for_rank_count(const Algorithm& algorithm, Rank ranks) {
  if (algorithm.ranks == RankCounts::powers_of_two && !std::has_single_bit(static_cast<unsigned>(ranks)))
    return "the number of ranks is no power of two";
  if (ranks > most_ranks_of(contract_of(algorithm.collective)))
    return "there are more blocks, one from each rank to each, than can be numbered";
  if (ranks > algorithm.most_ranks) return "with steps for each rank, its schedule is too long here";
  return nullptr;
}

bool has_what_is_needed(Needs needs, const Shape& shape) {
  switch (needs) {
    case Needs::nothing: return true;
    case Needs::torus: return shape.network != nullptr && shape.network->torus() != nullptr;
    case Needs::graph: return shape.network != nullptr && shape.network->is_connected();
  }
  return false;
}

std::optional<Pipeline> pipeline_of(const Algorithm& algorithm, const Shape& shape) {
  if (algorithm.pipeline == nullptr || shape.network == nullptr) return std::nullopt;
  if (!has_what_is_needed(algorithm.needs, shape)) return std::nullopt;
  // Of trees that go by the ranks' numbers it is that on switches, where no two of their messages meet.
  if (algorithm.needs == Needs::nothing && shape.network->sites().empty()) return std::nullopt;
  return algorithm.pipeline(*shape.network);
}

Schedule build_schedule(const Algorithm& algorithm, const Request& request) {
  if (request.arrangement != nullptr && algorithm.tree == nullptr)
    throw std::logic_error("ranks are arranged in trees only");
  if (request.leaders > 0) return build_over_nodes(algorithm, request);
  Builder builder(request);
  algorithm.build(builder);
  return builder.finish();
}

}  // namespace espalier
