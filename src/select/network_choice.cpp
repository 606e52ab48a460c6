// SPDX-License-Identifier: Apache-2.0
#include "select/network_choice.hpp"

#include <bit>

#include "algorithms/over_nodes.hpp"
#include "contract/contract.hpp"
#include "estimate/network_cut.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

// Below this the number of messages decides, and there the native MPI knows its machine best.
constexpr std::size_t min_bytes = 4 << 10;
constexpr Rank min_ranks = 3;  // between two there is one route

const char* const native_reason = "network: no clear gain estimated";
const char* const unknown_reason = "network: nothing to estimate for this collective there";

const char* reason_for(const Contestant& winner, NetworkKind kind) {
  switch (kind) {
    case NetworkKind::torus:
      return winner.pipeline ? "torus: trees along its links that share none of them"
                             : "torus: the fastest by estimate";
    case NetworkKind::graph: return "neighbours are known: trees along their links that share none of them";
    case NetworkKind::switches: return "switched network: the fastest by estimate";
  }
  return "";
}

// Of some nodes, all of which can be reached, and of data whose operands may be taken in any order.
bool concerns(const Problem& problem, const Shape& shape) {
  const Contract& contract = contract_of(problem.collective);
  if (shape.network == nullptr || shape.size < min_ranks || shape.network->nodes() < min_ranks) return false;
  if (!contract.carries_data || (contract.reduces && problem.arithmetic == Arithmetic::rank_order)) return false;
  return !shape.network->sites().empty() || shape.network->is_connected();
}

// In the middle between two powers of two, and of doubles: the winner is that of all sizes there.
Problem representative_of(const Problem& problem) {
  constexpr std::size_t element = 8;
  const std::size_t middle = std::bit_floor(problem.bytes()) / 2 * 3;
  return {.collective = problem.collective, .count = middle / element, .element_bytes = element};
}

// Where there are several NICs: an MPI uses one of them, or all by turns, whatever each has to do. And where its one
// connection cannot fill a WAN. Moreover, which is faster is found out by measuring.
Transport faster_transport(const Shape& shape) {
  if (shape.transports != Transports::either || shape.fabric_network == nullptr) return shape.default_transport();
  const bool fills_wan = shape.network->wan_bytes_per_second() < shape.fabric_network->wan_bytes_per_second();
  return fills_wan || shape.fabric_network->stripes() ? Transport::fabric : shape.default_transport();
}

}  // namespace

std::optional<Contestant> NetworkChooser::winner(const Problem& problem, const Shape& shape) {
  const std::scoped_lock lock(mutex_);
  const ContestKey key = {shape.network->signature(), problem.collective, std::bit_width(problem.bytes())};
  if (const auto found = winners_.find(key); found != winners_.end()) return found->second;
  // Not before it is known: an estimate may fail on allocation failure, on one rank alone.
  return winners_.emplace(key, winner_of_contest(representative_of(problem), shape)).first->second;
}

std::optional<Choice> NetworkChooser::choose(const Problem& problem, const Shape& shape) {
  if (!concerns(problem, shape)) return std::nullopt;
  if (!has_contest(problem.collective, shape)) return Choice{.reason = unknown_reason};
  if (problem.bytes() < min_bytes) return Choice{.reason = native_reason};
  const Transport transport = faster_transport(shape);
  const Shape over = shape.over(transport);
  const auto won = winner(problem, over);
  if (!won) return Choice{.reason = native_reason};
  Choice choice = choice_of(*won, problem, over);
  choice.transport = transport;
  choice.reason = reason_for(*won, *kind_of(shape));
  return choice;
}

Cut cut_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape,
            std::optional<std::size_t> segment_bytes) {
  if (shape.network == nullptr) {
    const std::size_t default_segment = algorithm.is_direct ? 0 : default_cut.segment_bytes;
    return {.segment_bytes = segment_bytes.value_or(default_segment), .window = default_cut.window};
  }
  const auto pipeline = segment_bytes ? std::nullopt : pipeline_of(algorithm, shape);
  return network_cut(pipeline, problem, *shape.network, segment_bytes);
}

Cut cut_for(const Choice& choice, const Problem& problem, const Shape& shape,
            std::optional<std::size_t> segment_bytes) {
  if (choice.leaders == 0 || unfit_for_leaders(problem, shape) != nullptr)
    return cut_for(*choice.algorithm, problem, shape, segment_bytes);
  const int leaders = leaders_among(choice.leaders, *ranks_by_node(shape));
  return cut_for(*choice.algorithm, share_of(problem, leaders), shape_of_nodes(shape), segment_bytes);
}

}  // namespace espalier
