// SPDX-License-Identifier: Apache-2.0
// How the ranks of one communicator are joined: the part of a Machine on which they sit. Equal on all ranks; this is
// what algorithms see.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/hash.hpp"
#include "core/problem.hpp"
#include "core/types.hpp"
#include "topology/job_box.hpp"
#include "topology/packing.hpp"
#include "topology/ranks_by_node.hpp"

namespace espalier {

// Over how many of its node's NICs a rank's messages go: that is up to the MPI; `striped`: over all of them, as the
// fabric does it, also those of one stream.
enum class NicUse : std::uint8_t { one, all, striped };

class Network {
 public:
  // `node_of`: each rank's node in `machine`. A node's ranks may be anywhere among them. Nodes are numbered again, in
  // the order of their lowest ranks. Throws std::invalid_argument where a rank's node is not one of the machine's.
  Network(const Machine& machine, std::span<const int> node_of, NicUse nic_use = NicUse::one);

  // The same ranks, whose messages go over one or all NICs.
  [[nodiscard]] Network with(NicUse nic_use) const;

  // Equal for communicators whose ranks sit on the same nodes of the machine, in the same order, and use them alike.
  [[nodiscard]] std::uint64_t signature() const { return signature_; }

  [[nodiscard]] int nodes() const { return by_node_.nodes(); }
  [[nodiscard]] int node_of(Rank rank) const { return by_node_.node_of(rank); }
  // In ascending order; never empty.
  [[nodiscard]] RanksOfNode ranks_on(int node) const { return by_node_.ranks_on(node); }
  [[nodiscard]] const RanksByNode& by_node() const { return by_node_; }
  // The same nodes with one rank on each, the node's number. Kept; may be asked by several threads.
  [[nodiscard]] const Network& of_leaders() const;

  // Which box of the machine's lattice the nodes fill. Null if they do not.
  using Box = JobBox;
  [[nodiscard]] const Box* box() const { return box_ ? &*box_ : nullptr; }
  // That, if all its axes are rings with links of their own for both directions round.
  [[nodiscard]] const Box* torus() const { return box_ && box_->lattice.is_torus() ? &*box_ : nullptr; }

  // Links between these nodes. Those of a box of equal links are made when somebody asks, and then kept; may be asked
  // by several threads.
  [[nodiscard]] std::span<const Arc> arcs() const;
  // One can go from every node to every other one along these.
  [[nodiscard]] bool is_connected() const { return connected_; }

  // Nodes on switches: sites in the order of their lowest ranks; each with its nodes. Empty if nodes are on a graph.
  [[nodiscard]] const std::vector<std::vector<int>>& sites() const { return sites_; }
  // Of the node that has the fewest: those over which a rank's messages go.
  [[nodiscard]] int nics_used() const { return nic_use_ == NicUse::one ? 1 : nics_; }
  [[nodiscard]] NicUse nic_use() const { return nic_use_; }
  [[nodiscard]] bool stripes() const { return nic_use_ == NicUse::striped && nics_ > 1; }

  // Of one link, or one NIC, in each direction. Of NICs that differ: the first one's where messages go over that alone,
  // the slowest one's where they go over all by turns, and the mean where each takes its share.
  [[nodiscard]] double bytes_per_second() const { return bytes_per_second_; }
  // ... or all NICs that are used.
  [[nodiscard]] double node_bytes_per_second() const { return bytes_per_second_ * nics_used(); }
  // What a message costs at each node, over what its bytes take.
  // What a node moves at most in each direction, however many links it has; 0: as much as these.
  [[nodiscard]] double engines_bytes_per_second() const { return engines_ * bytes_per_second_; }
  [[nodiscard]] int engines() const { return engines_; }
  [[nodiscard]] double hop_seconds() const { return hop_seconds_; }
  [[nodiscard]] double wan_seconds() const { return wan_seconds_; }
  // Of one NIC to another site: as much as its connection carries, and an MPI has one.
  [[nodiscard]] double wan_bytes_per_second() const;
  // What each link, or NIC, lets pass at once after a rest.
  [[nodiscard]] double burst_bytes() const { return burst_bytes_; }
  // Reductions of one rank: of each operand.
  [[nodiscard]] double arithmetic_bytes_per_second() const { return arithmetic_bytes_per_second_; }

  // Arc-disjoint trees from this node to all others: as many as there can be, or among more than 128 nodes as are found
  // quickly. Kept; may be asked by several threads.
  [[nodiscard]] const TreePacking& packing(int root) const;

 private:
  Network(const Network&) = default;
  // Which of the machine's nodes are ours, and which of ours each of these is.
  struct NodeNumbers {
    std::vector<int> machine_node, ours;
  };
  [[nodiscard]] NodeNumbers number_nodes(std::span<const int> node_of, std::size_t machine_nodes);
  void find_arcs(const Machine& machine, const std::vector<int>& ours);
  void find_sites(const Machine& machine, const std::vector<int>& machine_node);
  void use_nics(NicUse nic_use);

  std::uint64_t signature_;
  RanksByNode by_node_;
  std::optional<Box> box_;
  bool has_box_of_links_ = false;  // its links follow from the box, and all have one rate
  std::vector<Arc> arcs_;          // empty if so
  bool connected_ = false;
  std::vector<std::vector<int>> sites_;
  NicUse nic_use_ = NicUse::one;
  int nics_ = 1;
  std::vector<double> nic_rates_;  // where they differ
  double bytes_per_second_ = 0;
  int engines_ = 0;
  double hop_seconds_ = 0;
  double wan_seconds_ = 0;
  double connection_bytes_ = 0;
  double burst_bytes_ = 0;
  double arithmetic_bytes_per_second_ = 0;

  // What is made when it is asked for. A copy makes its own.
  struct OnDemand {
    OnDemand() = default;
    OnDemand(const OnDemand& /*other*/) {}
    OnDemand& operator=(const OnDemand&) = delete;
    std::mutex mutex;
    std::map<int, std::unique_ptr<const TreePacking>> packing_from;
    std::unique_ptr<const Network> of_leaders;
    std::unique_ptr<const std::vector<Arc>> arcs;
  };
  mutable OnDemand on_demand_;
};

// Nothing is known of it: null.
[[nodiscard]] inline const RanksByNode* ranks_by_node(const Shape& shape) {
  return shape.network != nullptr ? &shape.network->by_node() : shape.by_node;
}

}  // namespace espalier
