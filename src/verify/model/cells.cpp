// SPDX-License-Identifier: Apache-2.0
#include "verify/model/cells.hpp"

namespace espalier::proof {

Cells::Cells(const Case& problem, Rank rank, const Schedule& schedule, const Partition& partition, int window)
    : schedule_(schedule), items_(schedule, partition), window_(window) {
  const Held input = problem.input(rank, schedule.blocks), output = problem.output(rank, schedule.blocks);
  const auto of_input = [&](int place) { return input.label_at(place); };
  const auto of_output = [&](int place) { return output.label_at(place); };
  first_of_input_ = add_places(partition, input.count, of_input);
  // Where the input lies among other blocks of the output, all of it must fit there. Sizes are alike then.
  const bool is_elsewhere = problem.in_place_at(rank) && problem.contract().in_place == InPlace::other_place;
  first_of_output_ = is_elsewhere ? add_places(partition, std::max(input.count, output.count), of_input)
                                  : add_places(partition, output.count, of_output);
  for (const Area& area : schedule.areas) {
    const bool is_ring = area.kind == Area::Kind::ring;
    if (is_ring) {
      first_of_area_.push_back({size_});
      size_ += window_;
    } else {
      first_of_area_.push_back(add_places(partition, area.blocks, [&](int slot) { return area.labels.at(slot); }));
    }
  }
}

template <class LabelAt>
Cells::Places Cells::add_places(const Partition& partition, int places, LabelAt label_at) {
  Places first;
  for (int place = 0; place < places; ++place) {
    first.push_back(size_);
    size_ += static_cast<std::uint32_t>(partition.segments(label_at(place)));
  }
  first.push_back(size_);
  return first;
}

}  // namespace espalier::proof
