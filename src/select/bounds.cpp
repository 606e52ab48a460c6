// SPDX-License-Identifier: Apache-2.0
#include "select/bounds.hpp"

#include <algorithm>

#include "estimate/ways.hpp"
#include "select/plan.hpp"

namespace espalier {

namespace {

// What one rank does is for the links that its messages take, and for its processor.
class Loads {
 public:
  explicit Loads(const Network& network) : network_(network), ways_(network), bytes_(ways_.bytes_per_second().size()) {}

  void add_messages(Rank from, Rank to, int messages, double bytes, bool is_sender) {
    if (network_.node_of(from) == network_.node_of(to)) return;
    if (is_sender) processor_ += messages * network_.hop_seconds();
    for (const int link : ways_.between(network_.node_of(from), network_.node_of(to)).links) bytes_[link] += bytes;
  }

  void add_arithmetic(double bytes) { processor_ += bytes / network_.arithmetic_bytes_per_second(); }

  // No burst makes this shorter: no link has rested when all begin.
  [[nodiscard]] double seconds() const {
    double most = processor_;
    for (std::size_t link = 0; link < bytes_.size(); ++link) {
      most = std::max(most, bytes_[link] / ways_.lanes() / ways_.bytes_per_second()[link]);
    }
    return most;
  }

 private:
  const Network& network_;
  Ways ways_;
  std::vector<double> bytes_;  // of each link
  double processor_ = 0;       // seconds
};

}  // namespace

double least_seconds(const Choice& choice, const Problem& problem, const Shape& shape, Rank rank) {
  const Schedule schedule =
      build_schedule(*choice.algorithm, shape, rank, problem.root, problem.in_place, tuning_for(choice, problem));
  const int segments = binding_for(choice, problem, schedule).segments;
  const double block_bytes = static_cast<double>(problem.bytes()) / schedule.blocks;
  Loads loads(*shape.network);
  for (const Operation& operation : schedule.operations) {
    const double bytes = block_bytes * operation.walked().blocks;
    if (operation.kind == Operation::Kind::reduce) loads.add_arithmetic(bytes);
    if (!operation.communicates()) continue;
    const bool sends = operation.kind == Operation::Kind::send;
    loads.add_messages(sends ? rank : operation.peer, sends ? operation.peer : rank, operation.items(segments), bytes,
                       sends);
  }
  return loads.seconds();
}

}  // namespace espalier
