// SPDX-License-Identifier: Apache-2.0
#include "verify/describe.hpp"

namespace espalier::proof {

namespace {

std::string kind_of(const Operation& op) {
  const std::string lane = op.lane == 0 ? "" : ", lane " + std::to_string(op.lane);
  switch (op.kind) {
    case Operation::Kind::send: return "send to " + std::to_string(op.peer) + lane;
    case Operation::Kind::recv: return "recv from " + std::to_string(op.peer) + lane;
    case Operation::Kind::reduce: return "reduce";
    case Operation::Kind::copy: return "copy";
  }
  return "unknown kind";
}

}  // namespace

std::string describe(Rank rank, std::size_t number, const Operation& op) {
  return "rank " + std::to_string(rank) + ", operation " + std::to_string(number) + " (" + kind_of(op) + ")";
}

std::string describe(const Network& network, std::uint32_t op) {
  return describe(network.rank_of(op), network.number_of(op), network.operation(op));
}

std::string describe(const Network& network, std::uint32_t op, int item) {
  return describe(network, op) + ", item " + std::to_string(item);
}

std::string describe(const Network::Channel& channel) {
  return "channel " + std::to_string(channel.from) + " -> " + std::to_string(channel.to) + ", lane " +
         std::to_string(channel.lane);
}

}  // namespace espalier::proof
