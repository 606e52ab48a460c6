// SPDX-License-Identifier: Apache-2.0
// What an algorithm said to its builder: values and the words about them, in order, before anything has a place.
#pragma once

#include <algorithm>
#include <compare>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "contract/contract.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

// Some blocks, by their labels: base + scale * n, for n = first, first + step, ..., where n goes round at `modulus`. Or
// listed labels, of which `first` and `step` choose.
struct Range {
  int first = 0;
  int count = 0;
  int step = 1;
  int base = 0;
  int scale = 1;
  int modulus = 0;  // 0: the number of blocks
  const std::vector<std::int32_t>* list = nullptr;

  [[nodiscard]] Range part(int k, int some) const {
    Range range = *this;
    range.first = first + k * step;
    range.count = some;
    return range;
  }
  [[nodiscard]] Range head() const { return part(0, 1); }
  [[nodiscard]] Range rest() const { return part(1, count - 1); }
  // `blocks`: how many labels there are.
  [[nodiscard]] Walk labels(int blocks) const {
    return {first, step, list != nullptr ? 0 : modulus > 0 ? modulus : blocks, base, scale, list};
  }
  friend auto operator<=>(const Range&, const Range&) = default;
};

// Consecutive blocks of one value's walk, in its direction or against it.
struct Stream {
  int value = -1;
  int offset = 0;     // of the first block in the value's walk
  int direction = 1;  // along the value's walk, or -1: against it
  Range labels;       // which blocks of the message these are

  [[nodiscard]] int blocks() const { return labels.count; }
  // `count` blocks from the `k`-th on.
  [[nodiscard]] Stream part(int k, int count = 1) const {
    return {value, offset + k * direction, direction, labels.part(k, count)};
  }
  [[nodiscard]] Stream but_last() const { return part(0, blocks() - 1); }
  [[nodiscard]] Stream last() const { return part(blocks() - 1); }
  // The blocks of `range`: a stretch of this stream's walk, or of the walk back.
  [[nodiscard]] Stream at(Range range) const {
    const int k = (range.first - labels.first) / labels.step;
    const bool back = range.count > 1 && range.step == -labels.step;
    return {value, offset + k * direction, back ? -direction : direction, range};
  }
};

// Several streams that follow one another: as one message, or as one output.
using Bundle = std::vector<Stream>;

// The k-th block of a stream is sent in round first + k * stride; a rank has at most `in_flight` rounds' sends
// posted at once. All paced streams of a rank have the same stride. A stride of 0: not paced.
struct Rounds {
  int first = 0;
  int stride = 0;
  int in_flight = 1;
};

// `count` blocks from the `first`-th on.
[[nodiscard]] inline Bundle blocks_of(const Bundle& streams, int first, int count) {
  Bundle chosen;
  for (const Stream& stream : streams) {
    const int begin = std::max(first, 0), end = std::min(first + count, stream.blocks());
    if (begin < end) chosen.push_back(stream.part(begin, end - begin));
    first -= stream.blocks();
  }
  return chosen;
}

// The same blocks of both, each of them one stream.
[[nodiscard]] inline std::vector<std::pair<Stream, Stream>> aligned(const Bundle& left, const Bundle& right) {
  std::vector<std::pair<Stream, Stream>> pairs;
  int l_done = 0, r_done = 0;
  for (auto l = left.begin(), r = right.begin(); l != left.end() && r != right.end();) {
    const int blocks = std::min(l->blocks() - l_done, r->blocks() - r_done);
    if (blocks > 0) pairs.emplace_back(l->part(l_done, blocks), r->part(r_done, blocks));
    l_done += blocks;
    r_done += blocks;
    if (l_done == l->blocks()) ++l, l_done = 0;
    if (r_done == r->blocks()) ++r, r_done = 0;
  }
  return pairs;
}

struct Recording {
  enum class Kind : std::uint8_t { recv, send, reduce, stage, output, signal, await };

  struct Value {
    Range labels;
    int definition = -1;    // the node that makes it; -1: the rank's own input, where the caller put it
    bool has_room = false;  // for all of it: no part waits in scratch memory until an earlier one is used
    [[nodiscard]] bool is_input() const { return definition < 0; }
  };
  struct Node {
    Kind kind = Kind::output;
    Channel channel = 0;
    Path path = 0;
    bool merged = false;
    Walk peers;                   // recv, send: of each block; signal, await
    int value = -1;               // recv, reduce, stage: what it makes
    Rounds rounds;                // send, recv
    Bundle sources;               // send, output: any number; reduce: left and right
    std::vector<int> held_until;  // send, signal: nodes, before it, that must be complete
    int step_group = 0;           // send: those of one group keep in step; 0: alone
  };

  int blocks = 1;  // labels
  // Which blocks the rank's buffers hold, by place.
  std::optional<Held> input, output;  // nothing: it has no such buffer
  bool has_exact_blocks = false;      // the caller's own blocks; otherwise the message is cut by rounding
  bool in_place = false;              // the input lies in the output buffer
  bool has_gaps = false;              // blocks that follow one another in a buffer need not do so in memory
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<std::shared_ptr<const std::vector<std::int32_t>>> lists;
};

}  // namespace espalier
