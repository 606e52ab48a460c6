// SPDX-License-Identifier: Apache-2.0
#include "select/bounds.hpp"

#include <algorithm>

#include "estimate/ways.hpp"
#include "select/plan.hpp"

namespace espalier {

namespace {

// What one rank's messages are for the links that they take, and for its processor.
class Loads {
 public:
  explicit Loads(const Network& network) : network_(network), ways_(network), bytes_(ways_.bytes_per_second().size()) {}

  void add(Rank from, Rank to, int messages, double bytes, bool is_sender) {
    if (network_.node_of(from) == network_.node_of(to)) return;
    if (is_sender) sent_ += messages;
    for (const int link : ways_.between(network_.node_of(from), network_.node_of(to)).links) bytes_[link] += bytes;
  }

  [[nodiscard]] double seconds() const {
    double most = sent_ * network_.hop_seconds();
    for (std::size_t link = 0; link < bytes_.size(); ++link) {
      const double after_burst = bytes_[link] / ways_.lanes() - network_.burst_bytes();
      most = std::max(most, after_burst / ways_.bytes_per_second()[link]);
    }
    return most;
  }

 private:
  const Network& network_;
  Ways ways_;
  std::vector<double> bytes_;  // of each link
  int sent_ = 0;
};

}  // namespace

double least_seconds(const Choice& choice, const Problem& problem, const Shape& shape, Rank rank) {
  const Schedule schedule =
      build_schedule(*choice.algorithm, shape, rank, problem.root, problem.in_place, tuning_for(choice, problem));
  const int segments = binding_for(choice, problem, schedule).segments;
  const double block_bytes = static_cast<double>(problem.bytes()) / schedule.blocks;
  Loads loads(*shape.network);
  for (const Operation& operation : schedule.operations) {
    if (!operation.communicates()) continue;
    const bool sends = operation.kind == Operation::Kind::send;
    loads.add(sends ? rank : operation.peer, sends ? operation.peer : rank, operation.items(segments),
              block_bytes * operation.walked().blocks, sends);
  }
  return loads.seconds();
}

}  // namespace espalier
