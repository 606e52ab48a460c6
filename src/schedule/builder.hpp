// SPDX-License-Identifier: Apache-2.0
// The words in which algorithms are written. A builder speaks in values: a Stream is what flows. Where the values
// live, which operations have to wait for which, scratch rings and the hazards of in-place calls are derived in one
// place, finish(), never by an algorithm.
#pragma once

#include <optional>

#include "contract/contract.hpp"
#include "core/arrangement.hpp"
#include "core/problem.hpp"
#include "schedule/recording.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

class PlacedCollective;  // sub_collective.hpp

// What a schedule is built for. All but the last three are equal on all ranks; those are this rank's alone.
struct Request {
  const Contract& contract;
  Shape shape = {};
  Rank root = 0;
  int pieces = 1;  // how many segments the whole message makes
  int radix = 2;
  int leaders = 0;  // of each node, which alone speak to other nodes; 0: any rank speaks to any
  const Arrangement* arrangement = nullptr;  // null: each rank stands in the place of its number
  Rank me = 0;
  bool in_place = false;  // the input lies in the output buffer, as the contract says; of a broadcast always
  bool has_gaps = false;  // blocks that follow one another in a buffer need not do so in memory
};

class Builder {
 public:
  explicit Builder(const Request& request);

  [[nodiscard]] Rank rank() const { return request_.me; }
  [[nodiscard]] Rank size() const { return request_.shape.size; }
  [[nodiscard]] Rank root() const { return request_.root; }
  // In which this rank stands. Where ranks are arranged, those to which words are sent, and from which they are
  // received, are named by their places.
  [[nodiscard]] Rank place() const;
  [[nodiscard]] bool is_root() const { return rank() == root(); }
  // What is built: the collective's contract, or that of the part that perform() builds.
  [[nodiscard]] const Contract& contract() const { return part_ != nullptr ? part_->contract : request_.contract; }
  [[nodiscard]] const Shape& shape() const { return request_.shape; }
  [[nodiscard]] int blocks() const { return recording_.blocks; }
  [[nodiscard]] int pieces() const { return request_.pieces; }
  [[nodiscard]] int radix() const { return request_.radix; }

  // Cuts the message in blocks; first of all, and once at most (otherwise it is one block). Not where the contract says
  // what the blocks are.
  void cut(int blocks);
  // Blocks from each rank to each: those that go from this rank to some ranks, and those that come to it from them.
  [[nodiscard]] Range to(const Range& ranks) const;
  [[nodiscard]] Range from(const Range& ranks) const;
  [[nodiscard]] int label(Rank from, Rank to) const { return from * size() + to; }
  // Any blocks, in any order. Both ends of a message name its blocks in one order.
  [[nodiscard]] Range listed(std::vector<std::int32_t> labels);

  // From here on, words without a range speak of this one, and messages go over this channel, on this path.
  void use(const Range& range, Channel channel = 0, Path path = 0);
  // From here on, each stream travels as a single message, or in segments (which is how it begins).
  void merge_streams(bool merged = true) { merged_ = merged; }

  // What is sent and received from here on keeps to rounds, so that a rank serves its partners in turn.
  void keep_to(Rounds rounds) { rounds_ = rounds; }

  // What is sent from here on leaves only when all blocks of these streams are there. Not of inputs.
  void hold_until(const Bundle& streams);
  // ... only when all that was sent so far has left.
  void hold_until_sent();
  // ... only when all has left and come that was sent and received since this was said last: a step is over.
  void next_step();
  // Messages without data. One says that this rank has arrived here, and leaves when what is sent here may. The other
  // one has to come before what is sent from here on leaves, on top of all that this waits for anyhow.
  void signal(Rank to);
  void await(Rank from);
  // What is sent from here on keeps in step, until this is said again: segments of all these streams leave in turn. For
  // streams that share a NIC, or the first one takes all of it while the window lets it, and the others arrive too
  // late.
  void keep_in_step() { step_group_ = ++step_groups_; }

  // The input is copied aside now, before any output comes there.
  void set_input_aside();
  [[nodiscard]] Stream input() { return input(current_input_); }
  [[nodiscard]] Stream input(const Range& range);
  [[nodiscard]] Stream recv(Rank from) { return recv(from, current_); }
  [[nodiscard]] Stream recv(Rank from, const Range& range);
  void send(Rank to, const Stream& stream);
  // Other blocks than those that follow one another in memory are copied together first.
  void send(Rank to, const Bundle& bundle);
  // The k-th block from, or to, the k-th of some ranks.
  [[nodiscard]] Stream recv_each(const Range& ranks, const Range& range);
  void send_each(const Range& ranks, const Stream& stream);
  // left o right, block by block.
  [[nodiscard]] Stream reduce(const Stream& left, const Stream& right);
  // The same where either may lie in several streams.
  [[nodiscard]] Bundle reduce(const Bundle& left, const Bundle& right);
  // The partner's contribution stands left of mine if the partner's rank is lower.
  [[nodiscard]] Stream reduce_in_rank_order(Rank partner, const Stream& mine, const Stream& theirs);
  // These blocks of the output are this stream. A rank without an output (reduce, not the root) must not say it.
  void output(const Stream& stream);
  void output(const Bundle& bundle);

  // What another collective makes of these streams, in the words of `build`, for the same ranks, root and radix: its
  // input are the streams `given`, and what it says is its output comes back. Blocks have the labels that its contract
  // gives them, so a message is cut in one for each rank before.
  [[nodiscard]] Bundle perform(const Contract& contract, void (*build)(Builder&), Bundle given);

  // What a collective among some ranks, of which this is one, makes of what this rank puts in: for each of its
  // inputs(). Its channels come after the one of use(), and what does not name a path takes that of use().
  // `whole_blocks`: a block of it goes in one message, also where it is several of these.
  [[nodiscard]] std::vector<Bundle> perform(PlacedCollective& placed, const std::vector<Bundle>& given,
                                            bool whole_blocks = false);

  // Derives homes and dependencies; ends the builder. Throws std::logic_error on words that contradict each other.
  [[nodiscard]] Schedule finish();
  // The words alone, for a part of a larger collective; ends the builder.
  [[nodiscard]] Recording take_recording() && { return std::move(recording_); }

 private:
  // Of a composition: what it gets and has made so far.
  struct Composition {
    const Contract& contract;
    Bundle given, made;
  };

  [[nodiscard]] Stream given(const Range& range) const;
  [[nodiscard]] Stream own_input(const Range& range);
  [[nodiscard]] Rank rank_at(Rank place) const;
  [[nodiscard]] Stream define(Recording::Kind kind, const Range& labels, const Walk& peers, const Bundle& sources);
  void record(Recording::Kind kind, int value, const Walk& peers, const Bundle& sources);
  [[nodiscard]] bool is_overwritten(const Range& range) const;
  [[nodiscard]] Stream staged_input();
  void cut_in(int blocks);
  void give_room(const Bundle& streams);

  Request request_;
  Recording recording_;
  Range current_, current_input_;
  Channel channel_ = 0;
  Path path_ = 0;
  bool merged_ = false;
  Rounds rounds_;
  std::vector<int> held_until_;    // nodes of the recording
  std::size_t first_of_step_ = 0;  // of them
  int step_group_ = 0;             // of what is sent now; 0: none
  int step_groups_ = 0;            // so far
  Composition* part_ = nullptr;
  std::optional<Stream> staged_;  // the input, where the output would overwrite it
};

}  // namespace espalier
