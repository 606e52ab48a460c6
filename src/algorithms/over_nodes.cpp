// SPDX-License-Identifier: Apache-2.0
#include "algorithms/over_nodes.hpp"

#include <algorithm>
#include <map>

#include "schedule/sub_collective.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

// What goes to the leaders, and what comes from them: two ranks may lead a share each, and neither waits for the other.
// Nor do the stretches of a share, some of which are there long before others.
enum class Towards : std::uint8_t { leaders, others };
constexpr std::size_t max_stretches = 16;  // that have channels of their own
constexpr Channel channel_of(Towards towards, std::size_t stretch) {
  return static_cast<Channel>(2 * (stretch % max_stretches) + (towards == Towards::leaders ? 0 : 1));
}

// The blocks of a stretch by the rank that each concerns, in the order of the stretch.
using ByRank = std::map<Rank, std::vector<std::int32_t>>;

class OverNodes {
 public:
  OverNodes(const Algorithm& algorithm, const Request& request)
      : request_(request),
        contract_(request.contract),
        nodes_(*ranks_by_node(request.shape)),
        leaders_(leaders_among(request.leaders, nodes_)),
        node_(nodes_.node_of(request.me)),
        among_nodes_(request_among_nodes(), algorithm.build),
        b_(request) {}

  Schedule build() {
    if (is_cut()) b_.cut(leaders_ * among_nodes_.blocks());
    b_.set_input_aside();
    for (int share = 0; share < leaders_; ++share) place(share);
    for (int share = 0; share < leaders_; ++share) hand_in(share);
    for (int share = 0; share < leaders_; ++share) hand_out(share);
    return b_.finish();
  }

 private:
  // ---- who

  // The first of each node lead, and the root does: it stands first there.
  [[nodiscard]] Rank leader_on(int node, int share) const { return rank_on(node, share); }
  [[nodiscard]] Rank rank_on(int node, int k) const {
    const auto ranks = nodes_.ranks_on(node);
    if (!contract_.is_rooted() || nodes_.node_of(request_.root) != node) return ranks[static_cast<std::size_t>(k)];
    if (k == 0) return request_.root;
    const Rank before = ranks[static_cast<std::size_t>(k - 1)];
    return before < request_.root ? before : ranks[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] bool is_leader(int share) const { return leader_on(node_, share) == b_.rank(); }
  [[nodiscard]] bool is_cut() const { return contract_.division == Division::by_algorithm; }

  // ---- which blocks

  [[nodiscard]] Request request_among_nodes() const {
    Request request = request_;
    request.shape = shape_of_nodes(request_.shape);
    request.root = nodes_.node_of(request_.root);
    request.pieces = std::max(1, request_.pieces / leaders_);
    request.leaders = 0;
    request.me = node_;
    request.in_place = false;
    return request;
  }

  // Ranks of a node whose own blocks are of this share.
  [[nodiscard]] std::vector<Rank> ranks_of_share(int node, int share) const {
    std::vector<Rank> chosen;
    for (int k = share; k < std::ssize(nodes_.ranks_on(node)); k += leaders_) chosen.push_back(rank_on(node, k));
    return chosen;
  }

  [[nodiscard]] std::vector<std::int32_t> blocks_of(int share, int block) const {
    if (is_cut()) return {share * among_nodes_.blocks() + block};
    if (contract_.division == Division::by_rank) return ranks_of_share(block, share);
    std::vector<std::int32_t> pairs;
    for (const Rank from : nodes_.ranks_on(block / nodes_.nodes())) {
      for (const Rank to : ranks_of_share(block % nodes_.nodes(), share)) pairs.push_back(b_.label(from, to));
    }
    return pairs;
  }

  void place(int share) {
    std::vector<Rank> leaders;
    for (int node = 0; node < nodes_.nodes(); ++node) leaders.push_back(leader_on(node, share));
    placed_.emplace_back(b_, among_nodes_, std::move(leaders),
                         [this, share](int block) { return blocks_of(share, block); });
  }

  [[nodiscard]] Rank source_of(int label) const {
    return contract_.division == Division::by_pair ? label / b_.size() : label;
  }
  [[nodiscard]] Rank target_of(int label) const {
    return contract_.division == Division::by_pair ? label % b_.size() : label;
  }
  template <class Owner>
  [[nodiscard]] ByRank divided(const Range& range, Owner owner) const {
    const Walk walk = range.labels(b_.blocks());
    ByRank blocks;
    for (int k = 0; k < range.count; ++k) blocks[owner(walk.at(k))].push_back(walk.at(k));
    return blocks;
  }

  // Several blocks of one of the other side's go in one message.
  void use(Towards towards, std::size_t stretch) {
    b_.use({.first = 0, .count = b_.blocks()}, channel_of(towards, stretch));
    b_.merge_streams(!is_cut() || among_nodes_.merges());
  }

  // ---- what this rank has

  // One of its own stretches, which need not lie in one piece.
  [[nodiscard]] Bundle own(const Range& range) {
    if (!request_.in_place || contract_.in_place != InPlace::other_place) return {b_.input(range)};
    const Walk walk = range.labels(b_.blocks());
    Bundle blocks;
    for (int k = 0; k < range.count; ++k) blocks.push_back(b_.input(own_block(walk.at(k))));
    return blocks;
  }
  [[nodiscard]] Range own_block(int label) const {
    return contract_.division == Division::by_pair ? b_.to({target_of(label), 1}) : Range{label, 1};
  }

  // ---- to the leaders

  void hand_in(int share) {
    PlacedCollective& placed = placed_[static_cast<std::size_t>(share)];
    const bool leads = is_leader(share);
    std::vector<Bundle> given;
    for (std::size_t k = 0; k < placed.inputs().size(); ++k) {
      const Range& range = placed.inputs()[k];
      use(Towards::leaders, k);
      if (leads) {
        given.push_back(gathered(range));
      } else {
        give(leader_on(node_, share), range);
      }
    }
    if (!leads) return;
    b_.use({.first = 0, .count = b_.blocks()});
    made_ = b_.perform(placed, given, contract_.division == Division::by_pair);
  }

  void give(Rank leader, const Range& range) {
    if (contract_.sources == Sources::all) return b_.send(leader, own(range));
    if (contract_.sources == Sources::root) {
      if (b_.is_root()) b_.send(leader, own(range));
      return;
    }
    ByRank blocks = divided(range, [this](int label) { return source_of(label); });
    if (const auto mine = blocks.find(b_.rank()); mine != blocks.end())
      b_.send(leader, own(b_.listed(std::move(mine->second))));
  }

  [[nodiscard]] Bundle gathered(const Range& range) {
    if (contract_.sources == Sources::all) return sum_of(range);
    if (contract_.sources == Sources::root) return b_.is_root() ? own(range) : Bundle{b_.recv(b_.root(), range)};
    return collected(range);
  }

  [[nodiscard]] Bundle sum_of(const Range& range) {
    Bundle sum;
    for (const Rank rank : nodes_.ranks_on(node_)) {
      Bundle next = rank == b_.rank() ? own(range) : Bundle{b_.recv(rank, range)};
      sum = sum.empty() ? std::move(next) : b_.reduce(sum, next);
    }
    return sum;
  }

  // Each of the node's ranks sends its blocks together; then they follow one another as the range has them.
  [[nodiscard]] Bundle collected(const Range& range) {
    std::map<Rank, Bundle> from;
    for (auto& [rank, labels] : divided(range, [this](int label) { return source_of(label); })) {
      const Range blocks = b_.listed(labels);
      from[rank] = rank == b_.rank() ? own(blocks) : Bundle{b_.recv(rank, blocks)};
    }
    return in_order(range, std::move(from));
  }

  [[nodiscard]] Bundle in_order(const Range& range, std::map<Rank, Bundle> from) const {
    const Walk walk = range.labels(b_.blocks());
    std::map<Rank, int> taken;
    Bundle all;
    for (int k = 0; k < range.count; ++k) {
      const Rank rank = source_of(walk.at(k));
      const Bundle next = espalier::blocks_of(from[rank], taken[rank]++, 1);
      all.insert(all.end(), next.begin(), next.end());
    }
    return all;
  }

  // ---- from the leaders

  void hand_out(int share) {
    const PlacedCollective& placed = placed_[static_cast<std::size_t>(share)];
    const bool leads = is_leader(share);
    for (std::size_t k = 0; k < placed.outputs().size(); ++k) {
      const Range& range = placed.outputs()[k];
      use(Towards::others, k);
      leads ? hand_on(range, made_[k]) : take(leader_on(node_, share), range);
    }
  }

  // Who has a block of the output already: the root of what it has sent.
  [[nodiscard]] bool has_all() const { return contract_.sources == Sources::root && b_.is_root(); }
  [[nodiscard]] bool goes_to_all() const {
    return contract_.output == BufferPart::all && contract_.output_at == Holder::every_rank;
  }

  void hand_on(const Range& range, const Bundle& made) {
    if (contract_.output_at == Holder::root) {
      if (b_.is_root()) return b_.output(made);
      return b_.send(b_.root(), made);
    }
    if (goes_to_all()) {
      for (const Rank rank : nodes_.ranks_on(node_)) {
        if (rank != b_.rank() && (contract_.sources != Sources::root || rank != b_.root())) b_.send(rank, made);
      }
      return b_.output(made);
    }
    const Walk walk = range.labels(b_.blocks());
    std::map<Rank, Bundle> to;
    for (int k = 0; k < range.count; ++k) {
      const Bundle next = espalier::blocks_of(made, k, 1);
      Bundle& blocks = to[target_of(walk.at(k))];
      blocks.insert(blocks.end(), next.begin(), next.end());
    }
    for (const auto& [rank, blocks] : to) rank == b_.rank() ? b_.output(blocks) : b_.send(rank, blocks);
  }

  void take(Rank leader, const Range& range) {
    if (contract_.output_at == Holder::root) {
      if (b_.is_root()) b_.output(b_.recv(leader, range));
      return;
    }
    if (goes_to_all()) return b_.output(has_all() ? b_.input(range) : b_.recv(leader, range));
    ByRank blocks = divided(range, [this](int label) { return target_of(label); });
    if (const auto mine = blocks.find(b_.rank()); mine != blocks.end())
      b_.output(b_.recv(leader, b_.listed(std::move(mine->second))));
  }

  const Request& request_;
  const Contract& contract_;
  const RanksByNode& nodes_;
  const int leaders_;
  const int node_;
  const SubCollective among_nodes_;
  Builder b_;
  std::vector<PlacedCollective> placed_;  // by share
  std::vector<Bundle> made_;              // of the share that this rank leads
};

}  // namespace

int leaders_among(int wanted, const RanksByNode& nodes) { return std::min<int>(wanted, nodes.fewest_ranks()); }

Problem share_of(const Problem& problem, int leaders) {
  Problem share = problem;
  if (contract_of(problem.collective).division == Division::by_algorithm)
    share.count = problem.count / static_cast<std::size_t>(leaders);
  return share;
}

const char* unfit_for_leaders(const Problem& problem, const Shape& shape) {
  const RanksByNode* const nodes = ranks_by_node(shape);
  if (nodes == nullptr || !nodes->has_levels()) return "it needs several nodes with several ranks on some of them";
  const Contract& contract = contract_of(problem.collective);
  if (contract.division == Division::by_pair && shape.size > most_ranks_by_leaders)
    return "with blocks from each rank to each, the leaders' lists are too long here";
  if (contract.sources == Sources::up_to_own || contract.sources == Sources::before_own) {
    return "prefixes are not made over nodes";
  }
  if (contract.reduces && problem.arithmetic == Arithmetic::rank_order) {
    return "over nodes the operands do not stand in rank order, and the operation does not commute";
  }
  if (problem.is_uneven) return "over nodes blocks have one size, and those of the call have not";
  return nullptr;
}

Shape shape_of_nodes(const Shape& shape) {
  Shape nodes = shape;
  nodes.size = ranks_by_node(shape)->nodes();
  nodes.network = shape.network != nullptr ? &shape.network->of_leaders() : nullptr;
  nodes.fabric_network = shape.fabric_network != nullptr ? &shape.fabric_network->of_leaders() : nullptr;
  nodes.by_node = nullptr;
  nodes.in_memory = false;
  return nodes;
}

Schedule build_over_nodes(const Algorithm& algorithm, const Request& request) {
  Request plain = request;
  plain.arrangement = nullptr;  // in the tree of all ranks, which there is none here
  return OverNodes(algorithm, plain).build();
}

}  // namespace espalier
