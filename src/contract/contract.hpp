// SPDX-License-Identifier: Apache-2.0
// What a collective promises: which blocks each rank has before the call, and what it must have afterwards. Each
// collective says it once, in a file of its own; everybody else asks here. (MPI standard 4.1, chapter 6.)
//
// A block is a stretch of elements that stays together. Its *label* says which one it is, alike on all ranks, and its
// *place* says where it lies among the blocks of a buffer. A block of the output combines *contributions*: those of
// some ranks, each of the block with the same label.
#pragma once

#include <span>

#include "core/types.hpp"

namespace espalier {

// How the labels are given out.
enum class Division : std::uint8_t {
  by_algorithm,  // one message, in as many blocks as the algorithm likes: 0, 1, ...
  by_rank,       // a block for each rank: the rank
  by_pair,       // a block from each rank to each rank: from * size + to
};

// What a buffer holds of them, one after the other.
enum class BufferPart : std::uint8_t {
  all,       // of all blocks (by rank: of all ranks), each at the place of its label
  own,       // the block of this rank, at place 0
  outgoing,  // from this rank: at the place of the rank that it goes to
  incoming,  // to this rank: at the place of the rank that it comes from
};

// Who has such a buffer.
enum class Holder : std::uint8_t { every_rank, root, all_but_first };

// Whose contributions a block of the output combines.
enum class Sources : std::uint8_t {
  root,
  owner,       // the rank that the block comes from
  all,         // every rank
  up_to_own,   // the ranks up to this one
  before_own,  // the ranks before this one
};

// What MPI_IN_PLACE means: where in the output buffer the input lies; or that there is no output buffer.
enum class InPlace : std::uint8_t {
  always,       // the collective has one buffer only
  same_place,   // each block where the same block of the output will be
  other_place,  // each block as in an input buffer: blocks of the output will be where others of the input were
  stays,        // what the rank gives itself stays in the input buffer: to a schedule, that is where the output lies
};

struct Contract {
  Collective collective = Collective::barrier;
  Division division = Division::by_algorithm;
  BufferPart input = BufferPart::all, output = BufferPart::all;
  Holder input_at = Holder::every_rank, output_at = Holder::every_rank;
  Sources sources = Sources::all;
  bool reduces = false;      // contributions are combined by an operation
  bool carries_data = true;  // false: nothing is moved, so that a contribution may also come twice
  InPlace in_place = InPlace::same_place;

  [[nodiscard]] constexpr bool is_rooted() const { return input_at == Holder::root || output_at == Holder::root; }
  [[nodiscard]] constexpr bool has_input(Rank me, Rank root) const { return has(input_at, me, root); }
  [[nodiscard]] constexpr bool has_output(Rank me, Rank root) const { return has(output_at, me, root); }
  // Where blocks have sizes of their own: does every rank know those of all?
  [[nodiscard]] constexpr bool sizes_are_common() const {
    const bool in_input = input == BufferPart::all && input_at == Holder::every_rank;
    return division == Division::by_rank &&
           (in_input || (output == BufferPart::all && output_at == Holder::every_rank));
  }
  // In place, the output covers parts of other blocks of the input if these have sizes of their own. A schedule then
  // works on a copy.
  [[nodiscard]] constexpr bool may_be_uneven_in_place() const {
    return in_place != InPlace::other_place || division != Division::by_rank;
  }

 private:
  [[nodiscard]] static constexpr bool has(Holder holder, Rank me, Rank root) {
    return holder == Holder::every_rank || (holder == Holder::root ? me == root : me > 0);
  }
};

[[nodiscard]] const Contract& contract_of(Collective collective);

// The blocks of one buffer: the one at place k has the label first + k * step.
struct Held {
  int count = 0;
  int first = 0;
  int step = 1;

  [[nodiscard]] int label_at(int place) const { return first + place * step; }
  [[nodiscard]] bool holds(int label) const {
    return (label - first) % step == 0 && label >= first && (label - first) / step < count;
  }
  [[nodiscard]] int place_of(int label) const { return (label - first) / step; }
};

// `blocks`: in how many the algorithm cuts the message; counts for nothing where the labels are given.
[[nodiscard]] Held held_by(const Contract& contract, BufferPart part, Rank me, Rank size, int blocks);

// How many labels there are.
// Whose blocks can be numbered.
[[nodiscard]] Rank most_ranks_of(const Contract& contract);

[[nodiscard]] int label_count(const Contract& contract, Rank size, int blocks);

// Ranks first, first + 1, ...
struct RankRange {
  Rank first = 0;
  Rank count = 0;
};

// Whose contributions the block with this label combines in the output of rank `me`.
[[nodiscard]] RankRange sources_of(const Contract& contract, int label, Rank me, Rank root, Rank size);

}  // namespace espalier
