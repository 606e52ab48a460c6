// SPDX-License-Identifier: Apache-2.0
#include "estimate/sampled_time.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "algorithms/plan.hpp"
#include "estimate/network_cut.hpp"
#include "play/timed_run.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr Rank max_sampled = 8;

// Then no more ranks are looked at: where each has that much to do, they are alike, or one is more than enough to know.
constexpr std::size_t enough_transfers = 2048;

// The root, and others far from one another, whatever the ranks' order has for a period.
std::vector<Rank> sample_of(Rank size, Rank root) {
  constexpr double golden = 0.6180339887498949;
  std::vector<Rank> ranks;
  for (Rank k = 0; k < std::min(size, max_sampled); ++k) {
    const double part = k * golden - static_cast<int>(k * golden);
    ranks.push_back(wrap(root + static_cast<std::int64_t>(part * size), size));
  }
  return ranks;
}

// To which nodes the links of a graph lead from each: next[first[node]] and on, up to next[first[node + 1]].
struct LinksFrom {
  std::vector<int> first, next;

  explicit LinksFrom(const Network& network) : first(network.nodes() + 1, 0), next(network.arcs().size()) {
    for (const Arc& arc : network.arcs()) ++first[arc.from + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> at(first.begin(), first.end() - 1);
    for (const Arc& arc : network.arcs()) next[at[arc.from]++] = arc.to;
  }
};

// How many links a message takes along each axis, in one direction or the other. Where all ranks send as far, that many
// messages meet on each link.
class Distances {
 public:
  // `links`: null where the network is no graph, or a box of one.
  Distances(const Network& network, const LinksFrom* links, int from) : network_(network), from_(from) {
    if (links != nullptr) find_hops(*links);
  }

  [[nodiscard]] std::vector<double> along_axes(int to) const {
    if (!network_.sites().empty()) return {1};
    if (network_.box() != nullptr) return along_axes_of(*network_.box(), to);
    // What loads links most lies about twice above the mean.
    const double mean = static_cast<double>(hops_[to]) * network_.nodes() / static_cast<double>(network_.arcs().size());
    return {2 * mean};
  }

 private:
  [[nodiscard]] std::vector<double> along_axes_of(const Network::Box& box, int to) const {
    const Coordinates a = box.lattice.coordinates_of(box.number_of(from_));
    const Coordinates b = box.lattice.coordinates_of(box.number_of(to));
    std::vector<double> hops;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const Lattice::Axis& axis = box.lattice.axes[k];
      const int up = axis.wraps ? wrap(std::int64_t{b[k]} - a[k], axis.extent) : b[k] - a[k];
      const bool goes_down = up < 0 || (axis.wraps && 2 * up > axis.extent);
      const int down = up < 0 ? -up : axis.extent - up;
      hops.push_back(goes_down ? 0 : up);
      hops.push_back(goes_down ? down : 0);
    }
    return hops;
  }

  void find_hops(const LinksFrom& links) {
    hops_.assign(network_.nodes(), -1);
    hops_[from_] = 0;
    std::vector<int> queue = {from_};
    queue.reserve(hops_.size());
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const int node = queue[k];
      for (int at = links.first[node]; at < links.first[node + 1]; ++at) {
        const int other = links.next[at];
        if (hops_[other] >= 0) continue;
        hops_[other] = hops_[node] + 1;
        queue.push_back(other);
      }
    }
  }

  const Network& network_;
  int from_;
  std::vector<int> hops_;
};

// What one rank sends to another node, or gets from there.
struct SampledTransfer {
  bool is_sent = false;
  int messages = 0;
  double bytes = 0;
  std::vector<double> meeting;  // messages on a link of each axis and direction, where all ranks do the same
};

// What a rank has to do.
struct SampledWork {
  std::vector<SampledTransfer> transfers;
  double apart = 0;  // seconds of the processor: arithmetic, copies within the node
  int messages = 0;  // sent and received

  // Of one step: some of them go on while others still are in the step before.
  [[nodiscard]] double messages_of_a_step() const {
    return transfers.empty() ? 1 : std::max(1.0, messages / static_cast<double>(transfers.size()));
  }
};

class RankSample {
 public:
  RankSample(const Choice& choice, const Problem& problem, const Shape& shape)
      : choice_(choice), problem_(problem), shape_(shape), network_(*shape.network) {
    if (network_.box() == nullptr && network_.sites().empty()) links_.emplace(network_);
    for (const Rank rank : sample_of(shape.size, problem.root)) {
      works_.push_back(work_of(rank));
      if (transfers_ > enough_transfers) break;
    }
  }

  [[nodiscard]] double seconds() const {
    double longest = 0;
    for (const SampledWork& work : works_) longest = std::max(longest, seconds_of(work));
    return longest + travel_;
  }

 private:
  [[nodiscard]] SampledWork work_of(Rank rank) {
    const Schedule schedule = build_schedule(*choice_.algorithm, request_for(choice_, problem_, shape_, rank));
    const Partition partition = partition_for(choice_, problem_, schedule);
    const double block_bytes =
        static_cast<double>(partition.elements() * problem_.element_bytes) / std::max(1, schedule.blocks);
    const int segments = partition.segments();
    travel_ = std::max(travel_, travel_seconds(block_bytes / std::max(1, segments)));
    const Distances distances(network_, links_ ? &*links_ : nullptr, network_.node_of(rank));
    SampledWork work;
    for (const Operation& operation : schedule.operations) {
      const int blocks = operation.walked().blocks;
      if (operation.kind == Operation::Kind::reduce) {
        work.apart += block_bytes * blocks / network_.arithmetic_bytes_per_second();
      }
      if (!operation.communicates()) continue;
      const int parts = operation.has_one_peer() ? 1 : blocks;
      const int messages = operation.merged ? 1 : blocks / std::max(1, parts) * segments;
      for (int part = 0; part < parts; ++part) {
        add(operation, rank, operation.peer(part), messages, block_bytes * blocks / parts, distances, work);
      }
    }
    transfers_ += work.transfers.size();
    return work;
  }

  void add(const Operation& operation, Rank rank, Rank peer, int messages, double bytes, const Distances& distances,
           SampledWork& work) const {
    const bool sends = operation.kind == Operation::Kind::send;
    const int node = network_.node_of(peer);
    work.messages += messages;
    if (node == network_.node_of(rank)) {
      if (sends) work.apart += bytes / memory_bytes_per_second;
      return;
    }
    const auto on_node = static_cast<double>(network_.ranks_on(network_.node_of(rank)).size());
    SampledTransfer transfer{sends, messages, bytes, distances.along_axes(node)};
    for (double& messages_on_link : transfer.meeting) messages_on_link *= on_node;
    work.transfers.push_back(std::move(transfer));
  }

  // How busy others are while this rank is: most of a tree's ranks have less to do than its root.
  [[nodiscard]] double share_of_others(const SampledWork& work) const {
    double messages = 0;
    for (const SampledWork& each : works_) messages += each.messages;
    const double mean = messages / static_cast<double>(works_.size());
    return work.messages > 0 ? std::min(1.0, mean / work.messages) : 1;
  }

  // One transfer after the other; but of long pipelines only the busiest links count, or the processor.
  [[nodiscard]] double seconds_of(const SampledWork& work, bool is_sending) const {
    const double share = share_of_others(work);
    const double rate = network_.node_bytes_per_second();
    double in_turn = work.apart, of_processor = work.apart;
    std::vector<double> of_axis;
    for (const SampledTransfer& each : work.transfers) {
      if (each.is_sent != is_sending) continue;
      const double hops = each.messages * network_.hop_seconds(), alone = each.bytes / rate;
      of_axis.resize(each.meeting.size());
      double longest = alone;
      for (std::size_t axis = 0; axis < of_axis.size(); ++axis) {
        const double seconds = each.meeting[axis] > 0 ? alone * std::max(1.0, share * each.meeting[axis]) : 0;
        of_axis[axis] += seconds;
        longest = std::max(longest, seconds);
      }
      in_turn += hops + longest;
      of_processor += hops;
    }
    const double least = std::max(of_processor, of_axis.empty() ? 0 : std::ranges::max(of_axis));
    return least + (in_turn - least) / work.messages_of_a_step();
  }

  [[nodiscard]] double seconds_of(const SampledWork& work) const {
    return std::max(seconds_of(work, true), seconds_of(work, false));
  }

  // Of a segment, from the root of a tree of ranks to its farthest leaf.
  [[nodiscard]] double travel_seconds(double segment_bytes) const {
    const TreeOfPlaces tree = choice_.algorithm->tree;
    if (tree == nullptr) return 0;
    int height = 0;
    for (Rank at = shape_.size - 1; at != 0; ++height) at = tree(at, shape_.size, 0, choice_.radix).parent;
    return std::max(0, height - 1) * (network_.hop_seconds() + segment_bytes / network_.bytes_per_second());
  }

  const Choice& choice_;
  const Problem& problem_;
  const Shape& shape_;
  const Network& network_;
  std::optional<LinksFrom> links_;
  std::vector<SampledWork> works_;
  std::size_t transfers_ = 0;  // of all of these
  double travel_ = 0;
};

}  // namespace

double sampled_seconds(const Choice& choice, const Problem& problem, const Shape& shape) {
  if (const auto pipeline = pipeline_of(*choice.algorithm, shape)) {
    return pipeline_seconds(*pipeline, problem, *shape.network, choice.cut.segment_bytes);
  }
  return RankSample(choice, problem, shape).seconds();
}

}  // namespace espalier
