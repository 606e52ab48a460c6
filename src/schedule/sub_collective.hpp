// SPDX-License-Identifier: Apache-2.0
// A collective among some of the ranks, on some of the blocks, as a part of a larger one: first recorded by itself, as
// any algorithm says it, then placed among the words of the larger one (Builder::perform).
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "schedule/builder.hpp"

namespace espalier {

class SubCollective {
 public:
  // Of one rank of that request, whose ranks, root and blocks are numbered among themselves.
  SubCollective(const Request& among, void (*build)(Builder&));

  [[nodiscard]] int blocks() const { return recording_.blocks; }
  [[nodiscard]] const Recording& recording() const { return recording_; }
  // Whether some of it travels as single messages.
  [[nodiscard]] bool merges() const;

 private:
  Recording recording_;
};

// Where it takes place in a larger one.
class PlacedCollective {
 public:
  // Which of the whole's blocks one of its blocks is: one or more, as many as it likes for each.
  using BlocksOfOne = std::function<std::vector<std::int32_t>(int block)>;

  // `ranks`: of its ranks, by their numbers there. The collective and the builder must outlive this.
  PlacedCollective(Builder& builder, const SubCollective& collective, std::vector<Rank> ranks, BlocksOfOne blocks);

  // Which of the whole's blocks it takes from its rank, in the order in which it asks for them, each stretch once; and
  // those that it makes. So others of the whole know what they may give it, and what they get.
  [[nodiscard]] const std::vector<Range>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<Range>& outputs() const { return outputs_; }

  [[nodiscard]] const SubCollective& collective() const { return collective_; }
  [[nodiscard]] Rank rank(int number) const { return ranks_[static_cast<std::size_t>(number)]; }
  // Of one of its blocks; of one of its ranges, always the same one.
  [[nodiscard]] const std::vector<std::int32_t>& blocks_of(int block);
  [[nodiscard]] Range whole(const Range& range);

 private:
  void note_input(const Range& range);

  Builder& builder_;
  const SubCollective& collective_;
  const std::vector<Rank> ranks_;
  const BlocksOfOne blocks_;
  std::map<int, std::vector<std::int32_t>> known_blocks_;
  std::map<Range, Range> known_ranges_;
  std::vector<Range> inputs_, outputs_;
};

}  // namespace espalier
