// SPDX-License-Identifier: Apache-2.0
// A buffer of blocks, as MPI is told of it: elements of one datatype, of which each block has a count and a
// displacement.
#pragma once

#include <mpi.h>

#include <vector>

#include "differential/buffer.hpp"
#include "differential/layouts.hpp"

namespace espalier::apps {

enum class Order : std::uint8_t {
  tight,      // one after the other
  spaced,     // with elements between them that are no block's
  backwards,  // also spaced: the first block lies last, and the last one before the buffer's address
};

class Blocks {
 public:
  // Of so many units each.
  Blocks(const Side& unit, const std::vector<int>& units, Order order);
  ~Blocks() { MPI_Type_free(&all_); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  // Of the first block: of every one, if they are even.
  [[nodiscard]] int count() const { return counts_.front(); }
  template <class Count>
  [[nodiscard]] std::vector<Count> counts() const {
    return {counts_.begin(), counts_.end()};
  }
  template <class Displacement>
  [[nodiscard]] std::vector<Displacement> displacements() const {
    return {displacements_.begin(), displacements_.end()};
  }

  // Memory for all of them, which counts as one element: its packed message has them one after the other.
  [[nodiscard]] Buffer memory() const { return {all_, 1}; }

 private:
  MPI_Datatype type_;
  std::vector<int> counts_, displacements_;
  MPI_Datatype all_ = MPI_DATATYPE_NULL;
};

}  // namespace espalier::apps
