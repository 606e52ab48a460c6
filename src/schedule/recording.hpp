// SPDX-License-Identifier: Apache-2.0
// What an algorithm said to its builder: values and the words about them, in order, before anything has a place.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace espalier {

// Blocks first, first + step, ... of the message; past the last block the walk goes round.
struct Range {
  int first = 0;
  int count = 0;
  int step = 1;

  [[nodiscard]] Range head() const { return {first, 1, step}; }
  [[nodiscard]] Range rest() const { return {first + step, count - 1, step}; }
  friend bool operator==(const Range&, const Range&) = default;
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
    return {value, offset + k * direction, direction, {labels.first + k * labels.step, count, labels.step}};
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

// The k-th block of a stream is sent in round first + k * stride; a rank has at most `in_flight` rounds' sends under
// way. All paced streams of a rank have the same stride. A stride of 0: not paced.
struct Rounds {
  int first = 0;
  int stride = 0;
  int in_flight = 1;
};

struct Recording {
  enum class Kind : std::uint8_t { recv, send, reduce, output };

  struct Value {
    Range labels;
    int definition = -1;  // the node that makes it; -1: the rank's own input
    [[nodiscard]] bool is_input() const { return definition < 0; }
  };
  struct Node {
    Kind kind = Kind::output;
    Lane lane = 0;
    bool merged = false;
    Rank peer = no_rank;
    int value = -1;               // recv, reduce: what it makes
    Rounds rounds;                // send, recv
    Bundle sources;               // send, output: any number; reduce: left and right
    std::vector<int> held_until;  // send: nodes, before it, that must be complete
    int company = 0;              // send: those of one company keep in step; 0: alone
  };

  int blocks = 1;
  bool has_output = true;  // false: a rank that only contributes (reduce, not the root)
  bool in_place = false;   // the input lies in the output buffer
  std::vector<Value> values;
  std::vector<Node> nodes;
};

}  // namespace espalier
