// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/aggregated_trees.hpp"

#include <algorithm>

namespace espalier {

namespace {

class TreeMessages {
 public:
  TreeMessages(Rank size, int max_together) : size_(size), max_together_(max_together) {}

  // What those at the places [first, end) have goes to the places `distance` further on, and from there on and so
  // forth.
  void pass_on(Rank distance, Rank first, Rank end) {
    if (distance == 0) return;
    const Rank senders = count_senders(distance, first, end);
    if (senders > max_together_) {
      const Rank half = first + (senders / 2) * 2 * distance;
      pass_on(distance, first, half);
      return pass_on(distance, half, end);
    }
    if (senders > 0) all_.push_back({distance, first, senders});
    pass_on(distance / 2, first, end);
  }

  [[nodiscard]] const std::vector<AggregatedMessage>& all() const { return all_; }

 private:
  // Every second multiple of the distance from `first` on, as long as there is a rank to send to.
  [[nodiscard]] Rank count_senders(Rank distance, Rank first, Rank end) const {
    const Rank last = std::min(end - 1, size_ - 1 - distance);
    return last < first ? 0 : (last - first) / (2 * distance) + 1;
  }

  const Rank size_;
  const int max_together_;
  std::vector<AggregatedMessage> all_;
};

}  // namespace

std::vector<AggregatedMessage> aggregated_messages(Rank size, int max_together) {
  Rank farthest = 1;
  while (2 * farthest < size) farthest *= 2;
  TreeMessages messages(size, std::max(max_together, 1));
  messages.pass_on(farthest, 0, size);
  return messages.all();
}

}  // namespace espalier
