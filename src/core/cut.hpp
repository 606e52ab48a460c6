// SPDX-License-Identifier: Apache-2.0
// How a message is cut, and how much of it may be under way at once: a wish, as somebody chose it. partition.hpp makes
// of it what a schedule with its blocks runs with.
#pragma once

#include <cstddef>

namespace espalier {

struct Cut {
  std::size_t segment_bytes = 0;  // no segment is larger, but for rounding; 0: blocks are not cut
  int window = 4;                 // items under way at once, per operation; may differ from rank to rank
  friend bool operator==(const Cut&, const Cut&) = default;
};

}  // namespace espalier
