// SPDX-License-Identifier: Apache-2.0
// What is drawn: the schedules of all ranks, or of one, and how they are bound.
#pragma once

#include <span>
#include <string>

#include "algorithms/algorithm.hpp"

namespace espalier {

struct Subject {
  const Algorithm* algorithm = nullptr;
  Rank root = 0;
  int segments = 1;
  int window = 1;
  std::span<const Schedule> ranks;
  Rank one_of = 0;  // this many ranks, where `ranks` has the schedule of one of them alone

  [[nodiscard]] std::size_t size() const { return one_of > 0 ? static_cast<std::size_t>(one_of) : ranks.size(); }
  [[nodiscard]] int blocks() const { return ranks.front().blocks; }
};

// "bcast chain"
[[nodiscard]] std::string title_of(const Subject& subject);
// "8 ranks, root 0, 1 block in 4 segments, window 2"
[[nodiscard]] std::string subtitle_of(const Subject& subject);

}  // namespace espalier
