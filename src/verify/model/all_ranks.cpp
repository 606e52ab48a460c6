// SPDX-License-Identifier: Apache-2.0
#include "verify/model/all_ranks.hpp"

#include <algorithm>
#include <tuple>

namespace espalier::proof {

AllRanks::AllRanks(const Case& problem, std::span<const Schedule> ranks) : problem_(problem), ranks_(ranks) {
  first_.push_back(0);
  for (Rank rank = 0; rank < size(); ++rank) {
    for (const Operation& op : ranks[rank].operations) {
      operations_.push_back(&op);
      rank_of_.push_back(rank);
    }
    first_.push_back(static_cast<std::uint32_t>(operations_.size()));
  }
  find_channels();
}

void AllRanks::find_channels() {
  struct End {
    std::tuple<Rank, Rank, Channel> key;
    Stretch stretch;
  };
  std::vector<End> ends;
  std::uint32_t peers = 0;
  for (std::uint32_t i = 0; i < operations(); ++i) {
    first_peer_.push_back(peers);
    const Operation& op = operation(i);
    if (!op.communicates()) continue;
    const int blocks = op.merged ? 1 : op.walked().blocks, stretches = op.has_one_peer() ? 1 : blocks;
    for (int k = 0; k < stretches; ++k, ++peers) {
      const Rank me = rank_of(i), peer = op.peer(k);
      const bool sends = op.kind == Operation::Kind::send;
      ends.push_back({{sends ? me : peer, sends ? peer : me, op.channel}, {i, k, blocks / stretches}});
    }
  }
  channel_of_.assign(peers, no_channel);
  std::ranges::stable_sort(ends, {}, &End::key);
  const End* last = nullptr;
  for (const End& end : ends) {
    const auto& [from, to, channel] = end.key;
    if (last == nullptr || last->key != end.key) channels_.push_back({from, to, channel, {}, {}});
    last = &end;
    const Operation& op = operation(end.stretch.op);
    channel_of_[first_peer_[end.stretch.op] + (op.has_one_peer() ? 0 : end.stretch.first)] =
        static_cast<std::uint32_t>(channels_.size() - 1);
    ChannelEnds& ends_of_it = channels_.back();
    (op.kind == Operation::Kind::send ? ends_of_it.sends : ends_of_it.receives).push_back(end.stretch);
  }
}

}  // namespace espalier::proof
