// SPDX-License-Identifier: Apache-2.0
// One rank's part of a collective: a handful of operations, each repeated over the items that it walks along.
//
// The same object is run (engine/), proved for all ranks together (verify/) and drawn (draw/).
// It does not know the message: `layout.hpp` maps its blocks and segments to bytes, so its size does not grow with
// the message.
//
// Meaning. A message is cut in `blocks` blocks, each block in s >= 1 segments (s is chosen when the schedule is bound).
// An operation has `items(s)` items, numbered from 0: item i is segment i % s of the (i / s)-th block of its
// walk; a `merged` operation has one item, all its blocks at once. Items of one operation are posted in order. Up to
// w >= 1 of them may be under way at once (the window); they may complete in any order, but the count of finished
// items, done(op), rises only over a prefix. An item may be posted as soon as all dependencies of its operation hold
// for it. `reduce` and `copy` happen at once when posted.
//
// Channels. All sends of one rank to one peer on one lane form a channel; its messages are the items of these
// operations in the order of the operations' numbers, and the receives of the peer are matched with them in the same
// way, first with first. The two sides may partition that sequence differently. `posted` dependencies chain the
// operations of one side of a channel, so that they are posted in that order.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

// The k-th block is (first + k * step), wrapped into [0, modulus) where there is a modulus.
struct Walk {
  std::int32_t first = 0;
  std::int32_t step = 1;
  std::int32_t modulus = 0;

  [[nodiscard]] int at(int k) const {
    const std::int64_t block = first + std::int64_t{k} * step;
    return modulus > 0 ? wrap(block, modulus) : static_cast<int>(block);
  }
  // The walk that begins at the k-th block; direction -1 turns it round.
  [[nodiscard]] Walk from(int k, int direction = 1) const { return {at(k), step * direction, modulus}; }
  friend bool operator==(const Walk&, const Walk&) = default;
};

enum class Buffer : std::uint8_t { none, input, output, scratch };

// Where the items of an operation lie. `place` says which block of the buffer (or slot of the scratch area) the k-th
// block of the walk uses; `label` says which block of the message it is, and so how large it is. Input and output have
// their blocks at the places of the message's own blocks. In a scratch ring `place` counts for nothing: item i lies in
// slot i % w.
struct Region {
  Buffer buffer = Buffer::none;
  std::int32_t area = -1;  // scratch only: index into Schedule::areas
  std::int32_t blocks = 0;
  Walk place;
  Walk label;
};

// Scratch memory. A ring has w slots of one segment each. A full area has `blocks` slots: packed ones hold blocks of
// consecutive labels one right after the other (so that a merged operation can move them at once), the others start at
// multiples of the largest block.
struct Area {
  enum class Kind : std::uint8_t { ring, slots, packed };
  Kind kind = Kind::slots;
  std::int32_t blocks = 0;
};

// What must have happened before item i of an operation may be posted. All counts are clamped to [0, items(op)].
//   aligned: done(op) >= i + 1 + shift * s      (shift in blocks)
//   lagged:  done(op) >= i + 1 - w              (a slot of a ring is free again)
//   whole:   done(op) == items(op)
//   posted:  all items of op have been posted   (the order of a channel)
//   in_step: i items of op have been posted     (neither gets ahead of the other)
struct Dependency {
  enum class Kind : std::uint8_t { aligned, lagged, whole, posted, in_step };
  std::uint32_t operation = 0;
  std::int32_t shift = 0;
  Kind kind = Kind::aligned;

  // Of items posted rather than done.
  [[nodiscard]] bool is_of_posting() const { return kind == Kind::posted || kind == Kind::in_step; }
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

struct Operation {
  enum class Kind : std::uint8_t { send, recv, reduce, copy };
  Kind kind = Kind::copy;
  Lane lane = 0;
  bool merged = false;  // all blocks in one item; places and labels then are consecutive
  Rank peer = no_rank;  // send, recv
  Region source;        // send, copy: what is read; reduce: the left operand
  Region source_right;  // reduce: the right operand
  Region target;        // recv, copy, reduce: what is written (reduce: may coincide with one of the operands)
  std::uint32_t first_dependency = 0;
  std::uint32_t dependency_count = 0;

  [[nodiscard]] bool communicates() const { return kind == Kind::send || kind == Kind::recv; }
  [[nodiscard]] const Region& walked() const { return kind == Kind::send ? source : target; }
  [[nodiscard]] int items(int segments) const { return merged ? 1 : walked().blocks * segments; }
};

struct Schedule {
  std::int32_t blocks = 1;
  std::vector<Operation> operations;
  std::vector<Dependency> dependencies;
  std::vector<Area> areas;

  [[nodiscard]] std::span<const Dependency> dependencies_of(const Operation& op) const {
    return {dependencies.data() + op.first_dependency, op.dependency_count};
  }
  [[nodiscard]] std::size_t bytes() const {
    return sizeof *this + operations.size() * sizeof(Operation) + dependencies.size() * sizeof(Dependency) +
           areas.size() * sizeof(Area);
  }
};

// How many items of dependency.operation (which has `items` of them) must be done, or posted, before item `item`.
[[nodiscard]] inline int needed(const Dependency& dependency, int item, int segments, int window, int items) {
  std::int64_t count = items;
  if (dependency.kind == Dependency::Kind::aligned) count = item + 1 + std::int64_t{dependency.shift} * segments;
  if (dependency.kind == Dependency::Kind::lagged) count = std::int64_t{item} + 1 - window;
  if (dependency.kind == Dependency::Kind::in_step) count = item;
  return static_cast<int>(std::clamp<std::int64_t>(count, 0, items));
}

}  // namespace espalier
