// SPDX-License-Identifier: Apache-2.0
#include "estimate/network_bound.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "contract/contract.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr Rank max_ranks_bounded = 2048;

// Of each node, in each direction.
std::vector<double> bytes_per_second_of(const Network& network) {
  std::vector<double> found(static_cast<std::size_t>(network.nodes()));
  if (!network.sites().empty()) {
    std::ranges::fill(found, network.with(NicUse::striped).node_bytes_per_second());
  } else {
    for (const Arc& arc : network.arcs()) found[static_cast<std::size_t>(arc.from)] += arc.bytes_per_second;
    if (network.engines() > 0) {
      for (double& rate : found) rate = std::min(rate, network.engines_bytes_per_second());
    }
  }
  return found;
}

// The blocks that must enter and leave each node, however they travel. What is combined may be combined en route.
class Crossings {
 public:
  Crossings(const Problem& problem, const Shape& shape)
      : contract_(contract_of(problem.collective)),
        problem_(problem),
        shape_(shape),
        entering_(static_cast<std::size_t>(shape.network->nodes())),
        leaving_(entering_.size()),
        enters_for_(entering_.size(), no_label),
        leaves_for_(entering_.size(), no_label) {
    for (int label = 0; label < label_count(contract_, shape.size, 1); ++label) add(label);
  }

  [[nodiscard]] double blocks(std::size_t node) const { return std::max(entering_[node], leaving_[node]); }

 private:
  static constexpr int no_label = -1;

  void add(int label) {
    for (Rank rank = 0; rank < shape_.size; ++rank) {
      if (!contract_.has_output(rank, problem_.root)) continue;
      if (!held_by(contract_, contract_.output, rank, shape_.size, 1).holds(label)) continue;
      const RankRange sources = sources_of(contract_, label, rank, problem_.root, shape_.size);
      for (Rank source = sources.first; source < sources.first + sources.count; ++source) cross(label, source, rank);
    }
  }

  void cross(int label, Rank from, Rank to) {
    const int source = shape_.network->node_of(from), target = shape_.network->node_of(to);
    if (source == target) return;
    count_once(label, source, leaves_for_, leaving_);
    count_once(label, target, enters_for_, entering_);
  }

  static void count_once(int label, int node, std::vector<int>& last, std::vector<double>& counts) {
    const auto at = static_cast<std::size_t>(node);
    if (last[at] == label) return;
    last[at] = label;
    ++counts[at];
  }

  const Contract& contract_;
  const Problem& problem_;
  const Shape& shape_;
  std::vector<double> entering_, leaving_;  // by node
  std::vector<int> enters_for_, leaves_for_;
};

// Where all get the combination of all, each of its blocks takes nodes - 1 messages to be made and as many to be
// spread, whichever ranks send them.
bool is_combined_for_all(const Contract& contract) {
  return contract.reduces && contract.sources == Sources::all && contract.output == BufferPart::all &&
         contract.output_at == Holder::every_rank;
}

}  // namespace

double network_bound_seconds(const Problem& problem, const Shape& shape) {
  const Contract& contract = contract_of(problem.collective);
  if (shape.network == nullptr || shape.size > max_ranks_bounded || !contract.carries_data) return 0;
  const std::vector<double> speeds = bytes_per_second_of(*shape.network);
  if (std::ranges::min(speeds) <= 0) return 0;
  const Crossings crossings(problem, shape);
  double seconds = 0;
  for (std::size_t node = 0; node < speeds.size(); ++node) {
    seconds = std::max(seconds, crossings.blocks(node) / speeds[node]);
  }
  if (is_combined_for_all(contract)) {
    const double messages = 2. * (shape.network->nodes() - 1);
    seconds = std::max(seconds, messages / std::accumulate(speeds.begin(), speeds.end(), 0.));
  }
  return seconds * static_cast<double>(problem.bytes());
}

}  // namespace espalier
