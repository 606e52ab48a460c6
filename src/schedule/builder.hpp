// SPDX-License-Identifier: Apache-2.0
// The words in which algorithms are written. A builder speaks in values: a Stream is what flows. Where the values
// live, which operations have to wait for which, scratch rings and the hazards of in-place calls are derived in one
// place, finish(), never by an algorithm.
#pragma once

#include "core/problem.hpp"
#include "schedule/recording.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

class Builder {
 public:
  // in_place: the rank's input lies in its output buffer (always so for a broadcast).
  Builder(const Shape& shape, Rank me, Collective collective, Rank root, bool in_place);

  [[nodiscard]] Rank rank() const { return me_; }
  [[nodiscard]] Rank size() const { return shape_.size; }
  [[nodiscard]] Rank root() const { return root_; }
  [[nodiscard]] bool is_root() const { return me_ == root_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }

  // Cuts the message in blocks; first of all, and once at most (otherwise it is one block).
  void cut(int blocks);
  // From here on, words without a range speak of this one, and messages go over this lane.
  void use(Range range, Lane lane = 0);
  // From here on, each stream travels as a single message, or in segments (which is how it begins).
  void merge_streams(bool merged = true) { merged_ = merged; }

  // What is sent and received from here on keeps to rounds, so that a rank serves its partners in turn.
  void keep_to(Rounds rounds) { rounds_ = rounds; }

  // What is sent from here on leaves only when all blocks of these streams are there. Not of inputs.
  void hold_until(const Bundle& streams);
  // ... only when all that was sent so far has left.
  void hold_until_sent();
  // What is sent from here on keeps in step, until this is said again: segments of all these streams leave in turn. For
  // streams that share a NIC, or the first one takes all of it while the window lets it, and the others come too late.
  void keep_in_step() { company_++; }

  [[nodiscard]] Stream input() { return input(current_); }
  [[nodiscard]] Stream input(Range range);
  [[nodiscard]] Stream recv(Rank from) { return recv(from, current_); }
  [[nodiscard]] Stream recv(Rank from, Range range);
  void send(Rank to, const Stream& stream);
  // The streams must be neighbours in memory: blocks that follow one another.
  void send(Rank to, const Bundle& bundle);
  // left o right, block by block.
  [[nodiscard]] Stream reduce(const Stream& left, const Stream& right);
  // The partner's contribution stands left of mine if the partner's rank is lower.
  [[nodiscard]] Stream reduce_in_rank_order(Rank partner, const Stream& mine, const Stream& theirs);
  // These blocks of the output are this stream. A rank without an output (reduce, not the root) must not say it.
  void output(const Stream& stream);
  void output(const Bundle& bundle);

  // Derives homes and dependencies; ends the builder. Throws std::logic_error on words that contradict each other.
  [[nodiscard]] Schedule finish();

 private:
  int define(Recording::Kind kind, Range labels, Rank peer, const Bundle& sources);
  void record(Recording::Kind kind, int value, Rank peer, const Bundle& sources);

  Shape shape_;
  Rank me_, root_;
  Recording recording_;
  Range current_{0, 1};
  Lane lane_ = 0;
  bool merged_ = false;
  Rounds rounds_;
  std::vector<int> held_until_;  // nodes of the recording
  int company_ = 0;
};

}  // namespace espalier
