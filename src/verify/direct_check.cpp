// SPDX-License-Identifier: Apache-2.0
#include "verify/direct_check.hpp"

#include <algorithm>
#include <vector>

namespace espalier::proof {

namespace {

// Scratch areas by their index.
bool may_share_memory(const Region& one, const Region& other) {
  return one.buffer == other.buffer && (one.buffer != Buffer::scratch || one.area == other.area);
}

// What is read stands before what reads it.
bool hands_on(const Schedule& schedule) {
  std::vector<const Region*> received;
  for (const Operation& op : schedule.operations) {
    if (op.is_signal()) continue;
    if (op.kind == Operation::Kind::reduce) return true;
    const bool reads_received =
        std::ranges::any_of(received, [&](const Region* region) { return may_share_memory(*region, op.source); });
    if (op.kind == Operation::Kind::send && reads_received) return true;
    const bool writes_received =
        op.kind == Operation::Kind::recv || (op.kind == Operation::Kind::copy && reads_received);
    if (writes_received) received.push_back(&op.target);
  }
  return false;
}

}  // namespace

std::string check_direct(std::span<const Schedule> ranks) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (hands_on(ranks[rank])) {
      return "rank " + std::to_string(rank) + " hands on what it received, though the algorithm claims to be direct";
    }
  }
  return "";
}

}  // namespace espalier::proof
