// SPDX-License-Identifier: Apache-2.0
// Datatypes by which one rank alone may name its side of a call, and mean what it meant before.
#pragma once

#include <vector>

#include "differential/buffer.hpp"
#include "differential/case.hpp"
#include "mpi/call/call.hpp"

namespace espalier::apps {

// Which of them ranks of a case may use; known to all.
enum class Rare : std::uint8_t { none, from_bottom, of_nothing, block_by_block };
[[nodiscard]] Rare rare_types_of(const Case& one);

class RareTypes {
 public:
  RareTypes() = default;
  RareTypes(const RareTypes&) = delete;
  RareTypes& operator=(const RareTypes&) = delete;
  ~RareTypes();

  // The same elements of `buffer` by their absolute addresses: the call is to have MPI_BOTTOM in its place. What comes
  // back lives as long as this object, here and below.
  [[nodiscard]] CallBlocks from_bottom(const CallBlocks& said, std::size_t blocks, const Buffer& buffer);
  // Elements without bytes in place of no elements.
  [[nodiscard]] CallBlocks of_nothing(const CallBlocks& said, std::size_t blocks, bool is_large);
  // Some blocks, at random, as one element of a datatype of their own; where blocks have such. `counts`: what was said.
  [[nodiscard]] CallBlocks block_by_block(const CallBlocks& said, std::vector<int> counts, bool is_large,
                                          std::uint64_t random);

 private:
  [[nodiscard]] const void* kept(const std::vector<int>& counts, bool is_large);
  [[nodiscard]] CallBlocks by_type(const CallBlocks& said, std::size_t blocks, MPI_Datatype type);

  std::vector<MPI_Datatype> made_;
  std::vector<std::vector<MPI_Datatype>> types_;
  std::vector<std::vector<int>> counts_;
  std::vector<std::vector<MPI_Count>> large_counts_;
};

}  // namespace espalier::apps
