// SPDX-License-Identifier: Apache-2.0
#include "support/task.hpp"

#include <algorithm>

namespace espalier {

namespace {

// Both ranks of a pair have the same for each other, as calls in place want it.
int count_of(const Task& task, int label) {
  if (!task.is_uneven) return task.count;
  return task.contract().division == Division::by_pair ? (label / task.size + label % task.size) % 3 * task.count / 2
                                                       : (label + task.count) % 4 * task.count / 3;
}

Side side_of(const Task& task, BufferPart part, Rank me) {
  Side side{.held = held_by(task.contract(), part, me, task.size, 1)};
  const auto places = static_cast<std::size_t>(side.held.count);
  for (int place = 0; place < side.held.count; ++place) {
    side.counts.push_back(count_of(task, side.held.label_at(place)));
  }
  side.displacements.resize(places);
  const bool lie_apart = task.is_uneven && !task.contract().reduces;
  int next = 0;
  for (std::size_t k = 0; k < places; ++k) {
    const std::size_t place = lie_apart ? places - 1 - k : k;
    side.displacements[place] = next;
    next += side.counts[place] + (lie_apart ? 1 : 0);
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

Side input_side_in_place(const Task& task, Rank me) {
  Side input = input_side(task, me);
  const Side output = output_side(task, me);
  const bool same_place = task.contract().in_place != InPlace::other_place;
  if (!same_place && output.counts.size() != input.counts.size()) return input;
  for (int place = 0; place < input.held.count; ++place) {
    const int there = same_place ? output.held.place_of(input.held.label_at(place)) : place;
    input.counts[static_cast<std::size_t>(place)] = output.counts[static_cast<std::size_t>(there)];
    input.displacements[static_cast<std::size_t>(place)] = output.displacements[static_cast<std::size_t>(there)];
  }
  return input;
}

bool is_in_place(const Task& task, Rank me, bool wanted) {
  const Contract& contract = task.contract();
  if (contract.in_place == InPlace::always) return true;
  if (!wanted || !contract.carries_data) return false;
  if (contract.in_place == InPlace::stays) return contract.has_input(me, task.root);
  return contract.has_output(me, task.root) || contract.output_at == Holder::all_but_first;
}

}  // namespace espalier
