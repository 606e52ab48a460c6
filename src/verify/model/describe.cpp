// SPDX-License-Identifier: Apache-2.0
#include "verify/model/describe.hpp"

namespace espalier::proof {

namespace {

std::string kind_of(const Operation& op) {
  const std::string channel = op.channel == 0 ? "" : ", channel " + std::to_string(op.channel);
  const std::string peer = std::to_string(op.peer()) + (op.has_one_peer() ? "" : " and others");
  switch (op.kind) {
    case Operation::Kind::send: return "send to " + peer + channel;
    case Operation::Kind::recv: return "recv from " + peer + channel;
    case Operation::Kind::reduce: return "reduce";
    case Operation::Kind::copy: return "copy";
  }
  return "unknown kind";
}

}  // namespace

std::string describe(Rank rank, std::size_t number, const Operation& op) {
  return "rank " + std::to_string(rank) + ", operation " + std::to_string(number) + " (" + kind_of(op) + ")";
}

std::string describe(const AllRanks& all, std::uint32_t op) {
  return describe(all.rank_of(op), all.number_of(op), all.operation(op));
}

std::string describe(const AllRanks& all, std::uint32_t op, int item) {
  return describe(all, op) + ", item " + std::to_string(item);
}

std::string describe(const AllRanks::ChannelEnds& ends) {
  return "channel " + std::to_string(ends.channel) + " of " + std::to_string(ends.from) + " -> " +
         std::to_string(ends.to);
}

}  // namespace espalier::proof
