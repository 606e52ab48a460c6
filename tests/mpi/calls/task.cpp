// SPDX-License-Identifier: Apache-2.0
#include "calls/task.hpp"

#include <algorithm>

namespace espalier {

namespace {

// Both ranks of a pair have the same for each other, as calls in place want it.
int count_of(const Task& task, int label) {
  if (!task.is_uneven) return task.count;
  return task.contract().division == Division::by_pair ? (label / task.size + label % task.size) % 3
                                                       : (label + task.count) % 4;
}

Side side_of(const Task& task, Part part, Rank me) {
  Side side{.held = held_by(task.contract(), part, me, task.size, 1)};
  const auto places = static_cast<std::size_t>(side.held.count);
  for (int place = 0; place < side.held.count; ++place) {
    side.counts.push_back(count_of(task, side.held.label_at(place)));
  }
  side.displacements.resize(places);
  int next = 0;
  for (std::size_t k = 0; k < places; ++k) {
    const std::size_t place = task.is_uneven ? places - 1 - k : k;
    side.displacements[place] = next;
    next += side.counts[place] + (task.is_uneven ? 1 : 0);
  }
  return side;
}

}  // namespace

int Side::elements() const {
  int end = 0;
  for (std::size_t place = 0; place < counts.size(); ++place) end = std::max(end, displacements[place] + counts[place]);
  return end;
}

Side input_side(const Task& task, Rank me) { return side_of(task, task.contract().input, me); }
Side output_side(const Task& task, Rank me) { return side_of(task, task.contract().output, me); }

int given(Rank by, int label, int element) { return 1 + element + 1000 * label + 100000 * by; }

int expected(const Task& task, Rank me, int label, int element) {
  const RankRange sources = sources_of(task.contract(), label, me, task.root, task.size);
  int sum = 0;
  for (Rank rank = sources.first; rank < sources.first + sources.count; ++rank) sum += given(rank, label, element);
  return sum;
}

}  // namespace espalier
