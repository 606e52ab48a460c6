// SPDX-License-Identifier: Apache-2.0
#include "select/network_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/torus_trees.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr std::size_t KiB = 1024;

// Below this the number of hops decides, and trees along the links have many.
constexpr std::size_t least_bytes = 16 * KiB;

constexpr std::size_t least_segment = 1 * KiB;
constexpr std::size_t most_segment = 64 * KiB;

std::size_t nearest_power_of_two(std::size_t value) {
  const std::size_t below = std::bit_floor(std::max<std::size_t>(value, 1));
  return value - below < 2 * below - value ? below : 2 * below;
}

Choice along_trees(const Algorithm& algorithm, const Problem& problem, const Network& network, int trees, int height,
                   const char* reason) {
  Choice choice{.algorithm = &algorithm, .parameters = {}, .reason = reason};
  choice.parameters.segment_bytes =
      best_segment(problem.bytes(), trees, height, network.bytes_per_second(), network.hop_seconds());
  choice.parameters.window = 4;
  return choice;
}

std::optional<Choice> on_torus(const Problem& problem, const Network& network) {
  const Lattice& torus = network.torus()->lattice;
  const bool both_ways = problem.collective != Collective::allreduce;
  const Algorithm* algorithm = find_algorithm(problem.collective, both_ways ? "trinaryx6" : "trinaryx3");
  const int trees = torus.dimensions() * (both_ways ? 2 : 1);
  return along_trees(*algorithm, problem, network, trees, torus_tree_height(torus),
                     "torus: trees along its links that share none of them");
}

std::optional<Choice> on_graph(const Problem& problem, const Network& network) {
  const Algorithm* algorithm = find_algorithm(problem.collective, "packed");
  const int degree = static_cast<int>(network.arcs().size()) / network.nodes();
  // A guess at their height: a schedule is built only if this is chosen.
  const int height = 2 * static_cast<int>(std::sqrt(network.nodes())) + 2;
  return along_trees(*algorithm, problem, network, std::max(1, degree), height,
                     "neighbours are known: trees along their links that share none of them");
}

}  // namespace

std::optional<Choice> choice_for_network(const Problem& problem, const Shape& shape) {
  if (shape.network == nullptr || problem.collective == Collective::barrier || problem.bytes() < least_bytes ||
      shape.network->nodes() < 4 || (reduces(problem.collective) && problem.arithmetic == Arithmetic::rank_order)) {
    return std::nullopt;
  }
  if (has_what_is_needed(Needs::torus, shape)) return on_torus(problem, *shape.network);
  if (has_what_is_needed(Needs::graph, shape)) return on_graph(problem, *shape.network);
  return std::nullopt;
}

// N/trees bytes in n segments take (height + n) (S/B + L), with S = N/trees/n: least at n = sqrt(height N / (trees B
// L)).
std::size_t best_segment(std::size_t bytes, int trees, int height, double bytes_per_second, double hop_seconds) {
  const double part = static_cast<double>(bytes) / trees;
  const double segments = std::sqrt(std::max(1, height) * part / (bytes_per_second * hop_seconds));
  const auto wanted = static_cast<std::size_t>(part / std::max(1.0, segments));
  return std::clamp(nearest_power_of_two(wanted), least_segment, most_segment);
}

}  // namespace espalier
