// SPDX-License-Identifier: Apache-2.0
// What is done with a call: the native MPI, or one of our algorithms with its parameters.
#pragma once

#include <memory>

#include "core/arrangement.hpp"
#include "core/cut.hpp"
#include "core/problem.hpp"

namespace espalier {

struct Algorithm;  // algorithms/algorithm.hpp

// Where nothing else is said. Where a message is not larger than a segment, it is not cut at all.
inline constexpr Cut default_cut = {.segment_bytes = std::size_t{64} << 10, .window = 4};
inline constexpr int default_radix = 2;

struct Choice {
  const Algorithm* algorithm = nullptr;  // null: the native MPI
  Cut cut;
  int radix = default_radix;  // of a k-nomial tree
  int leaders = 0;            // of each node, which run the algorithm over the nodes; 0: all ranks run it
  Transport transport = Transport::mpi;
  const char* reason = "";  // static text, for reports: why this was chosen
  // Of an algorithm with a tree: which ranks stand in its places; null: each in that of its number.
  std::shared_ptr<const Arrangement> arrangement = nullptr;
  // Stands for the arrangement that suits when the ranks arrive, which anyone who decides of a call puts in its place.
  bool by_arrival = false;

  [[nodiscard]] bool native() const { return algorithm == nullptr; }
  // The same is done, for whatever reason.
  friend bool operator==(const Choice& a, const Choice& b) {
    return a.algorithm == b.algorithm && a.cut == b.cut && a.radix == b.radix && a.leaders == b.leaders &&
           a.transport == b.transport && a.by_arrival == b.by_arrival && are_alike(a.arrangement, b.arrangement);
  }
};

}  // namespace espalier
