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

// How many ranks the blocks of an operation go to or come from.
int peers_of(const Operation& operation) {
  if (!operation.communicates()) return 0;
  return operation.has_one_peer() ? 1 : operation.walked().blocks;
}

}  // namespace

PlayedChannels::PlayedChannels(std::span<const Schedule> ranks) {
  std::unordered_map<EndsPlayed, std::uint32_t, HashOfEnds> known;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const auto rank = static_cast<Rank>(k);
    first_operation_.push_back(static_cast<std::uint32_t>(first_number_.size()));
    for (const Operation& operation : ranks[k].operations) {
      first_number_.push_back(static_cast<std::uint32_t>(numbers_.size()));
      for (int block = 0; block < peers_of(operation); ++block) {
        const bool sends = operation.kind == Operation::Kind::send;
        const Rank peer = operation.peer(block), sender = sends ? rank : peer, receiver = sends ? peer : rank;
        const auto [found, is_new] = known.try_emplace({sender, receiver, operation.channel}, channels_.size());
        numbers_.push_back(found->second);
        if (is_new) channels_.push_back({sender, receiver});
      }
    }
  }
}

}  // namespace espalier
