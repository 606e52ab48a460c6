// SPDX-License-Identifier: Apache-2.0
#include "estimate/bounds.hpp"

#include <algorithm>

#include "algorithms/plan.hpp"
#include "estimate/routes.hpp"
#include "schedule/items.hpp"

namespace espalier {

namespace {

// What one rank does is for the links that its messages take, and for its processor.
class LinkLoads {
 public:
  explicit LinkLoads(const Network& network)
      : network_(network), routes_(network), bytes_(routes_.bytes_per_second().size()) {}

  void add_messages(Rank from, Rank to, int messages, double bytes, bool is_sender) {
    if (network_.node_of(from) == network_.node_of(to)) return;
    if (is_sender) processor_ += messages * network_.hop_seconds();
    for (const int link : routes_.between(network_.node_of(from), network_.node_of(to)).links) bytes_[link] += bytes;
  }

  void add_arithmetic(double bytes) { processor_ += bytes / network_.arithmetic_bytes_per_second(); }

  // No burst makes this shorter: no link has rested when all begin.
  [[nodiscard]] double seconds() const {
    double longest = processor_;
    for (std::size_t link = 0; link < bytes_.size(); ++link) {
      longest = std::max(longest, bytes_[link] / routes_.lanes() / routes_.bytes_per_second()[link]);
    }
    return longest;
  }

 private:
  const Network& network_;
  Routes routes_;
  std::vector<double> bytes_;  // of each link
  double processor_ = 0;       // seconds
};

}  // namespace

double min_seconds(const Choice& choice, const Problem& problem, const Shape& shape, Rank rank) {
  const Schedule schedule = build_schedule(*choice.algorithm, request_for(choice, problem, shape, rank));
  const Partition partition = partition_for(choice, problem, schedule);
  const Items items(schedule, partition);
  const double block_bytes = static_cast<double>(problem.bytes()) / schedule.blocks;
  LinkLoads loads(*shape.network);
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    const int blocks = operation.walked().blocks;
    if (operation.kind == Operation::Kind::reduce) loads.add_arithmetic(block_bytes * blocks);
    if (!operation.communicates()) continue;
    const bool sends = operation.kind == Operation::Kind::send;
    const int parts = operation.has_one_peer() ? 1 : blocks;  // with different ranks
    for (int part = 0; part < parts; ++part) {
      const Rank peer = operation.peer(part);
      loads.add_messages(sends ? rank : peer, sends ? peer : rank, items.count(k) / parts, block_bytes * blocks / parts,
                         sends);
    }
  }
  return loads.seconds();
}

}  // namespace espalier
