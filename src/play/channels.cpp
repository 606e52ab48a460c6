// SPDX-License-Identifier: Apache-2.0
#include "play/channels.hpp"

#include <unordered_map>

#include "core/hash.hpp"

namespace espalier {

namespace {

struct EndsPlayed {
  Rank sender = 0, receiver = 0;
  Channel channel = 0;
  friend bool operator==(const EndsPlayed&, const EndsPlayed&) = default;
};

struct HashOfEnds {
  std::size_t operator()(const EndsPlayed& ends) const {
    const auto pair = static_cast<std::uint64_t>(ends.sender) << 32 | static_cast<std::uint32_t>(ends.receiver);
    return mix(mix(pair) + ends.channel);
  }
};

PlayedOperation played_operation(const Operation& operation) {
  const Region& walked = operation.walked();
  return {.label = walked.blocks == 1 && !operation.merged ? walked.label.at(0) : -1,
          .path = operation.path,
          .kind = operation.kind,
          .has_one_peer = operation.communicates() && operation.has_one_peer()};
}

}  // namespace

PlayedChannels::PlayedChannels(std::span<const Schedule> ranks) {
  std::unordered_map<EndsPlayed, std::uint32_t, HashOfEnds> known;
  const auto number_of = [&](Rank rank, const Operation& operation, int block) {
    const bool sends = operation.kind == Operation::Kind::send;
    const Rank peer = operation.peer(block), sender = sends ? rank : peer, receiver = sends ? peer : rank;
    const auto [found, is_new] = known.try_emplace({sender, receiver, operation.channel}, channels_.size());
    if (is_new) channels_.push_back({sender, receiver});
    return found->second;
  };
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const auto rank = static_cast<Rank>(k);
    first_operation_.push_back(static_cast<std::uint32_t>(operations_.size()));
    for (const Operation& operation : ranks[k].operations) {
      PlayedOperation& played = operations_.emplace_back(played_operation(operation));
      if (!operation.communicates()) continue;
      played.channel =
          played.has_one_peer ? number_of(rank, operation, 0) : static_cast<std::uint32_t>(numbers_.size());
      if (played.has_one_peer) continue;
      for (int block = 0; block < operation.walked().blocks; ++block)
        numbers_.push_back(number_of(rank, operation, block));
    }
  }
  first_operation_.push_back(static_cast<std::uint32_t>(operations_.size()));
}

}  // namespace espalier
