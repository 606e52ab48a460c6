// SPDX-License-Identifier: Apache-2.0
// How fast a pipeline moves while it is at work: from when the first segment has got everywhere until the last one has
// made half of its hops. What comes before fills the pipeline, what comes after empties it. At first its buffers fill
// up unevenly, too: so the first half of that stretch does not count. In the second one a segment takes what each
// further segment of a longer message would take; its halves say whether that is the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace espalier {

struct SteadyPace {
  double under_way = 0;  // how many segments enter the pipeline until the first one is through, about
  int segments = 0;      // that count; 0: the pipeline was never full
  double seconds = 0;    // for each of them
  double earlier = 0;    // for each of their first half
};

class SegmentPace {
 public:
  // Of each block: two or more. All operations that send more than one message walk along one block.
  explicit SegmentPace(int segments) : through_(static_cast<std::size_t>(segments)) {}

  void arrived(int segment, double now) {
    through_[static_cast<std::size_t>(segment)] = now;
    if (segment + 1 == std::ssize(through_)) of_last_.push_back(now);
  }

  // When all have arrived.
  [[nodiscard]] SteadyPace steady() const {
    if (of_last_.empty()) return {};  // all went as a whole
    const double middle = of_last_[of_last_.size() / 2];
    const auto end = std::ranges::find_if(through_, [&](double seconds) { return seconds > middle; });
    const auto last = end - through_.begin() - 1;
    SteadyPace pace{.under_way = through_.front() / per_segment(0, std::ssize(through_) - 1)};
    if (last < 4) return pace;
    pace.segments = static_cast<int>(last - last / 2);
    pace.seconds = per_segment(last / 2, last);
    pace.earlier = per_segment(last / 2, last - last / 4);
    return pace;
  }

 private:
  [[nodiscard]] double per_segment(std::ptrdiff_t first, std::ptrdiff_t last) const {
    const auto at = [&](std::ptrdiff_t segment) { return through_[static_cast<std::size_t>(segment)]; };
    return (at(last) - at(first)) / static_cast<double>(last - first);
  }

  std::vector<double> through_;  // by segment: when it had arrived wherever it goes
  std::vector<double> of_last_;  // the last segment's arrivals, in order
};

}  // namespace espalier
