// SPDX-License-Identifier: Apache-2.0
// A buffer of blocks, as MPI is told of it: elements of one datatype, of which each block has a count and a
// displacement.
#pragma once

#include <vector>

#include "differential/buffer.hpp"
#include "differential/layouts.hpp"
#include "mpi/call/call.hpp"

namespace espalier::apps {

enum class Order : std::uint8_t {
  tight,      // one after the other
  spaced,     // with elements between them that are no block's
  backwards,  // also spaced: the first block lies last, and the last one before the buffer's address
};

class Blocks {
 public:
  // Of this many units each.
  Blocks(const Side& unit, const std::vector<int>& units, Order order);
  ~Blocks();
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  // Elements of all blocks.
  [[nodiscard]] int elements() const { return elements_; }
  [[nodiscard]] const std::vector<int>& counts() const { return counts_; }

  // As a call says it; the arrays live as long as this object.
  [[nodiscard]] CallBlocks said(const Function& function, bool is_large) const;

  // Memory for all of them; its packed message has them one after the other.
  [[nodiscard]] Buffer memory() const;

 private:
  MPI_Datatype type_;
  std::vector<int> counts_, displacements_;
  std::vector<MPI_Count> large_counts_;
  std::vector<MPI_Aint> large_displacements_;
  // Where each says its datatype, too.
  std::vector<MPI_Datatype> types_;
  std::vector<int> displacements_in_bytes_;
  std::vector<MPI_Aint> large_displacements_in_bytes_;
  int elements_ = 0;
  MPI_Datatype all_ = MPI_DATATYPE_NULL;  // all of them as one element, unless they lie tight
};

}  // namespace espalier::apps
