// SPDX-License-Identifier: Apache-2.0
// A call that is played for any number of segments, all as long as those of the whole message: long pipelines are even,
// so that a short one tells how long each further segment takes.
#pragma once

#include <span>
#include <vector>

#include "algorithms/plan.hpp"
#include "play/simulated_message.hpp"

namespace espalier {

class ShortenedCall {
 public:
  // `choice` is not native, and fits the problem. All must outlive this.
  ShortenedCall(const Choice& choice, const Problem& problem, const Shape& shape);

  // Of the whole message: of each block; or all of it, where the blocks of the schedules are the segments.
  [[nodiscard]] int segments() const { return blocks_are_segments() ? pieces_ : whole_.segments(); }
  [[nodiscard]] bool blocks_are_segments() const { return espalier::blocks_are_segments(*choice_.algorithm); }

  // The schedules of all ranks for the whole message, and how it is cut.
  [[nodiscard]] std::span<const Schedule> ranks() const { return ranks_; }
  [[nodiscard]] const Partition& partition() const { return whole_; }

  // For that many segments. Schedules whose blocks are the segments are made for these.
  [[nodiscard]] std::vector<Schedule> build(int segments) const;
  [[nodiscard]] SimulatedMessage message(const Schedule& schedule, int segments) const;

 private:
  const Choice& choice_;
  const Problem& problem_;
  const Shape& shape_;
  int pieces_;
  std::vector<Schedule> ranks_;
  Partition whole_;
};

}  // namespace espalier
