// SPDX-License-Identifier: Apache-2.0
// One rank's part of a collective: a handful of operations, each repeated over the items that it walks along.
//
// The same object is run (engine/), proved for all ranks together (verify/) and drawn (draw/).
// It does not know the message: a partition (partition.hpp) says how large its blocks are and in how many segments each
// is cut, and `layout.hpp` maps them to memory; so its size does not grow with the message.
//
// Meaning. An operation walks along blocks; block b is cut in s(b) >= 1 segments, which follow from its own size. The
// items of an operation are these segments, numbered from 0 in the order of its walk; a `merged` operation has one
// item, all its blocks at once. Items of one operation are posted in order. Up to w >= 1 of them may be under way at
// once (the window); they may complete in any order, but the count of finished items, done(op), rises only over a
// prefix. An item may be posted as soon as all dependencies of its operation hold for it. `reduce` and `copy` happen at
// once when posted.
//
// A merged message without blocks is a *signal*: it has no region, and says only that its sender has arrived so far.
//
// Channels. All sends of one rank to one peer on one channel are matched with that peer's receives, first with first,
// in the order of the operations' numbers and of their items. The two sides may partition that sequence differently.
// `posted` dependencies chain the operations of one side of a channel, so that they are posted in that order.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

// The k-th of some numbers: of blocks, places or ranks. They are base + scale * n, where n goes from `first` on by
// `step`, and round where there is a modulus; or they are listed, and `first` and `step` walk along the list.
struct Walk {
  std::int32_t first = 0;
  std::int32_t step = 1;
  std::int32_t modulus = 0;
  std::int32_t base = 0;
  std::int32_t scale = 1;
  const std::vector<std::int32_t>* list = nullptr;  // kept by the schedule

  [[nodiscard]] int at(int k) const {
    const std::int64_t n = first + std::int64_t{k} * step;
    if (list != nullptr) return n >= 0 && n < std::ssize(*list) ? (*list)[static_cast<std::size_t>(n)] : -1;
    return static_cast<int>(base + scale * (modulus > 0 ? wrap(n, modulus) : n));
  }
  // The walk that begins at the k-th; direction -1 turns it round.
  [[nodiscard]] Walk from(int k, int direction = 1) const {
    Walk walk = *this;
    const std::int64_t n = first + std::int64_t{k} * step;
    walk.first = list == nullptr && modulus > 0 ? wrap(n, modulus) : static_cast<std::int32_t>(n);
    walk.step = step * direction;
    return walk;
  }
  friend bool operator==(const Walk&, const Walk&) = default;
};

// Always the same.
[[nodiscard]] constexpr Walk always(std::int32_t number) { return {.first = number, .step = 0}; }

enum class Buffer : std::uint8_t { none, input, output, scratch };

// Where the items of an operation lie. `place` says which block of the buffer (or slot of the scratch area) the k-th
// block of the walk uses; `label` says which block it is, and so how large it is. Which labels lie at which places of
// input and output is the collective's contract (contract/). In a scratch ring `place` counts for nothing: item i lies
// in slot i % w.
struct Region {
  Buffer buffer = Buffer::none;
  std::int32_t area = -1;  // scratch only: index into Schedule::areas
  std::int32_t blocks = 0;
  Walk place;
  Walk label;
};

// Scratch memory. A ring has w slots of one segment each. A full area has `blocks` slots, for blocks with these labels:
// packed ones lie one right after the other (so that a merged operation can move them at once), the others start at
// multiples of the largest block.
struct Area {
  enum class Kind : std::uint8_t { ring, slots, packed };
  Kind kind = Kind::slots;
  std::int32_t blocks = 0;
  Walk labels;
};

// What must have happened before item i of an operation, segment j of the k-th block of its walk, may be posted. Where
// an operation has no such item, the nearest one before it is meant; before its first one, none.
//   aligned: segment j of the (k + shift)-th block of op's walk is done, or the block's last one
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
  Channel channel = 0;
  Path path = 0;
  bool merged = false;  // all blocks in one item, which is one stretch of memory
  Walk peers;           // send, recv: with whom the k-th block is exchanged
  Region source;        // send, copy: what is read; reduce: the left operand
  Region source_right;  // reduce: the right operand
  Region target;        // recv, copy, reduce: what is written (reduce: may coincide with one of the operands)
  std::uint32_t first_dependency = 0;
  std::uint32_t dependency_count = 0;

  [[nodiscard]] bool communicates() const { return kind == Kind::send || kind == Kind::recv; }
  [[nodiscard]] bool is_signal() const { return communicates() && walked().blocks == 0; }
  [[nodiscard]] const Region& walked() const { return kind == Kind::send ? source : target; }
  [[nodiscard]] Rank peer(int block = 0) const { return peers.at(block); }
  [[nodiscard]] bool has_one_peer() const { return peers.step == 0 || walked().blocks == 1; }
};

struct Schedule {
  std::int32_t blocks = 1;  // how many labels there are
  std::vector<Operation> operations;
  std::vector<Dependency> dependencies;
  std::vector<Area> areas;
  std::vector<std::shared_ptr<const std::vector<std::int32_t>>> lists;  // that walks go along

  [[nodiscard]] std::span<const Dependency> dependencies_of(const Operation& op) const {
    return {dependencies.data() + op.first_dependency, op.dependency_count};
  }
  [[nodiscard]] std::size_t bytes() const;
};

}  // namespace espalier
