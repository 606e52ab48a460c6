// SPDX-License-Identifier: Apache-2.0
#include "verify/network.hpp"

#include <algorithm>
#include <tuple>

namespace espalier::proof {

Network::Network(const Case& problem, std::span<const Schedule> ranks) : problem_(problem), ranks_(ranks) {
  first_.push_back(0);
  for (Rank rank = 0; rank < size(); ++rank) {
    for (const Operation& op : ranks[rank].operations) {
      operations_.push_back(&op);
      rank_of_.push_back(rank);
    }
    first_.push_back(static_cast<std::uint32_t>(operations_.size()));
  }
  channel_of_.assign(operations_.size(), no_channel);
  find_channels();
}

void Network::find_channels() {
  using Key = std::tuple<Rank, Rank, Lane>;
  std::vector<std::pair<Key, std::uint32_t>> ends;
  for (std::uint32_t i = 0; i < operations(); ++i) {
    const Operation& op = operation(i);
    if (op.kind == Operation::Kind::send) ends.push_back({{rank_of(i), op.peer, op.lane}, i});
    if (op.kind == Operation::Kind::recv) ends.push_back({{op.peer, rank_of(i), op.lane}, i});
  }
  std::ranges::sort(ends);
  const Key* last = nullptr;
  for (const auto& [key, i] : ends) {
    if (last == nullptr || *last != key)
      channels_.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), {}, {}});
    last = &key;
    Channel& channel = channels_.back();
    channel_of_[i] = static_cast<std::uint32_t>(channels_.size() - 1);
    (operation(i).kind == Operation::Kind::send ? channel.sends : channel.receives).push_back(i);
  }
}

}  // namespace espalier::proof
