// SPDX-License-Identifier: Apache-2.0
#include "topology/network.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "topology/grown_packing.hpp"

namespace espalier {

namespace {

// With more nodes the proof of packing.hpp takes too long.
constexpr int max_exactly_packed = 128;

}  // namespace

Network::Network(const Machine& machine, std::span<const int> node_of, NicUse nic_use)
    : signature_(hash_of_number(static_cast<std::uint64_t>(nic_use), hash_of_nothing)),
      by_node_(node_of),
      nic_use_(nic_use),
      engines_(machine.engines),
      hop_seconds_(machine.hop_seconds),
      wan_seconds_(machine.wan_seconds),
      connection_bytes_(machine.connection_bytes),
      burst_bytes_(machine.burst_bytes),
      arithmetic_bytes_per_second_(machine.arithmetic_bytes_per_second) {
  const auto [machine_node, ours] = number_nodes(node_of, machine.nodes.size());
  box_ = find_job_box(machine, ours, nodes());
  find_arcs(machine, ours);
  if (machine.nic_bytes_per_second > 0) find_sites(machine, machine_node);
}

Network::NodeNumbers Network::number_nodes(std::span<const int> node_of, std::size_t machine_nodes) {
  NodeNumbers numbering{.machine_node = {}, .ours = std::vector<int>(machine_nodes, no_node)};
  for (std::size_t rank = 0; rank < node_of.size(); ++rank) {
    const int node = node_of[rank];
    signature_ = hash_of_number(static_cast<std::uint64_t>(node), signature_);
    if (node < 0 || static_cast<std::size_t>(node) >= machine_nodes) {
      throw std::invalid_argument("a rank is on a node that the machine does not have");
    }
    if (numbering.ours[node] != no_node) continue;
    numbering.ours[node] = by_node_.node_of(static_cast<Rank>(rank));
    numbering.machine_node.push_back(node);
  }
  return numbering;
}

namespace {

bool are_joined(int nodes, const std::vector<Arc>& arcs) {
  std::vector<std::vector<int>> next(nodes);
  for (const Arc& arc : arcs) next[arc.from].push_back(arc.to);
  std::vector<bool> reached(nodes, false);
  std::vector<int> queue = {0};
  reached[0] = true;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (const int other : next[queue[k]]) {
      if (!reached[other]) queue.push_back(other);
      reached[other] = true;
    }
  }
  return static_cast<int>(queue.size()) == nodes;
}

}  // namespace

// Of Tofu's ten links of a node only those are used that make its torus.
void Network::find_arcs(const Machine& machine, const std::vector<int>& ours) {
  double least = 0, most = 0;
  const auto is_ours = [&](const Arc& arc) { return ours[arc.from] != no_node && ours[arc.to] != no_node; };
  const auto note = [&](double rate) {
    least = least == 0 ? rate : std::min(least, rate);
    most = std::max(most, rate);
  };
  std::vector<Arc> said;
  if (machine.says_links() && box_) {
    note(machine.link_bytes_per_second);
  } else if (machine.says_links()) {
    said = links_of(machine);
  }
  const std::vector<Arc>& all = machine.says_links() ? said : machine.arcs;
  for (const Arc& arc : all) {
    if (is_ours(arc)) note(arc.bytes_per_second);
  }
  bytes_per_second_ = least;
  has_box_of_links_ = box_ && least > 0 && (least == most || !machine.tofu.empty());
  connected_ = has_box_of_links_ || nodes() == 1;
  if (connected_) return;
  for (const Arc& arc : all) {
    if (is_ours(arc)) arcs_.push_back({ours[arc.from], ours[arc.to], arc.bytes_per_second});
  }
  connected_ = are_joined(nodes(), arcs_);
}

void Network::find_sites(const Machine& machine, const std::vector<int>& machine_node) {
  bytes_per_second_ = machine.nic_bytes_per_second;
  nic_rates_ = machine.nic_rates;
  nics_ = machine.nodes[machine_node[0]].nics;
  std::map<int, std::size_t> ours;
  for (int node = 0; node < nodes(); ++node) {
    const MachineNode& described = machine.nodes[machine_node[node]];
    nics_ = std::min(nics_, described.nics);
    const auto [found, is_new] = ours.try_emplace(described.site, sites_.size());
    if (is_new) sites_.emplace_back();
    sites_[found->second].push_back(node);
  }
  use_nics(nic_use_);
}

void Network::use_nics(NicUse nic_use) {
  nic_use_ = nic_use;
  if (nic_rates_.empty()) return;
  if (nic_use == NicUse::one) {
    bytes_per_second_ = nic_rates_.front();
  } else if (nic_use == NicUse::all) {
    bytes_per_second_ = std::ranges::min(nic_rates_);
  } else {
    bytes_per_second_ =
        std::accumulate(nic_rates_.begin(), nic_rates_.end(), 0.0) / static_cast<double>(nic_rates_.size());
  }
}

double Network::wan_bytes_per_second() const {
  const bool has_limit = connection_bytes_ > 0 && wan_seconds_ > 0 && nic_use_ != NicUse::striped;
  return has_limit ? std::min(bytes_per_second_, connection_bytes_ / (2 * wan_seconds_)) : bytes_per_second_;
}

Network Network::with(NicUse nic_use) const {
  Network other(*this);
  if (nic_use != nic_use_) other.signature_ = hash_of_number(static_cast<std::uint64_t>(nic_use), signature_);
  other.use_nics(nic_use);
  return other;
}

std::span<const Arc> Network::arcs() const {
  if (!has_box_of_links_) return arcs_;
  const std::scoped_lock lock(on_demand_.mutex);
  if (!on_demand_.arcs) {
    std::vector<int> node_at;
    for (int place = 0; place < nodes(); ++place) node_at.push_back(box_->node_at(place));
    on_demand_.arcs = std::make_unique<const std::vector<Arc>>(arcs_of(box_->lattice, node_at, bytes_per_second_));
  }
  return *on_demand_.arcs;
}

const Network& Network::of_leaders() const {
  const std::scoped_lock lock(on_demand_.mutex);
  if (on_demand_.of_leaders) return *on_demand_.of_leaders;
  std::vector<int> each(static_cast<std::size_t>(nodes()));
  std::iota(each.begin(), each.end(), 0);
  std::unique_ptr<Network> leaders(new Network(*this));
  leaders->by_node_ = RanksByNode(each);
  leaders->signature_ = hash_of_number(each.size(), signature_);
  on_demand_.of_leaders = std::move(leaders);
  return *on_demand_.of_leaders;
}

const TreePacking& Network::packing(int root) const {
  const std::span<const Arc> links = arcs();
  const std::scoped_lock lock(on_demand_.mutex);
  std::unique_ptr<const TreePacking>& packing = on_demand_.packing_from[root];
  if (!packing)
    packing = std::make_unique<const TreePacking>(nodes() <= max_exactly_packed ? pack_trees(nodes(), links, root)
                                                                                : grow_packing(nodes(), links, root));
  return *packing;
}

}  // namespace espalier
