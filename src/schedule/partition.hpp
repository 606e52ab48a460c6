// SPDX-License-Identifier: Apache-2.0
// How large the blocks of one call are, in how many segments each is cut, and where they begin in the user's buffers.
// Everything in elements.
//
// Blocks are even, or their sizes are given. Segments follow from a block's own size and from what is equal on all
// ranks; so both ends of a message cut it alike, even if no other rank knows how large it is.
#pragma once

#include <cstddef>
#include <vector>

#include "contract/contract.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

// A stretch of elements: of the input, of the output, or of the scratch memory.
struct Extent {
  std::size_t offset = 0;
  std::size_t length = 0;
};

class Partition {
 public:
  // Blocks and segments as equal as may be. They begin at multiples of `granule` elements where the message is large
  // enough for it (cache lines). All but `offsets` must be equal on all ranks.
  struct Even {
    int blocks = 1;
    std::size_t elements = 0;  // of all blocks together
    int segments = 1;          // of each block
    std::size_t granule = 1;
    bool exact = false;  // each block has elements / blocks of them, whatever the granule: the caller's own blocks
  };
  explicit Partition(const Even& even);

  // Blocks of their own sizes. A rank gives those that are in its buffers, by place; and those that lie in its scratch
  // memory alone, without offsets.
  struct Given {
    struct Side {
      Held held;
      std::vector<std::size_t> sizes, offsets;
    };
    Side input, output, passing;
    std::size_t segment = 0;  // the largest one; 0: blocks are not cut
    std::size_t granule = 1;  // segments begin at multiples of it; divides `segment`
  };
  explicit Partition(Given given);

  [[nodiscard]] bool is_even() const { return sides_.empty(); }
  // Of every block, if they are even.
  [[nodiscard]] int segments() const { return even_.segments; }
  [[nodiscard]] int segments(int label) const;
  [[nodiscard]] int max_segments() const { return max_segments_; }

  [[nodiscard]] std::size_t elements() const { return even_.elements; }  // of all blocks, if they are even
  [[nodiscard]] std::size_t size(int label) const;
  [[nodiscard]] std::size_t max_block() const { return max_block_; }
  [[nodiscard]] std::size_t max_segment() const { return max_segment_; }

  // In the block.
  [[nodiscard]] Extent segment(int label, int number) const;
  // Where the block at a place of the input or of the output begins.
  [[nodiscard]] std::size_t offset(Buffer buffer, int place) const;
  // Of the blocks with the first `count` labels of a walk, together.
  [[nodiscard]] std::size_t size(const Walk& labels, int count) const;
  // Whether that takes constant time: blocks are alike, or of an evenly cut message and follow one another.
  [[nodiscard]] bool adds_up_at_once(const Walk& labels) const;

 private:
  [[nodiscard]] std::size_t even_offset(std::int64_t label) const;
  [[nodiscard]] std::size_t cut(std::size_t elements, int part, int parts) const;

  Even even_;
  std::vector<Given::Side> sides_;  // as they are given, if sizes are; none: blocks are even
  std::size_t given_segment_ = 0;
  std::size_t max_block_ = 0, max_segment_ = 0;
  int max_segments_ = 1;
};

// For anyone who cares for the order of things only: even blocks, each segment an element.
[[nodiscard]] Partition unit_partition(int blocks, int segments);

}  // namespace espalier
