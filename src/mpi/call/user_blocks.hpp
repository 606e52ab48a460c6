// SPDX-License-Identifier: Apache-2.0
// The blocks in one of a call's buffers, as the application has them: elements of a datatype, which may lie anywhere.
#pragma once

#include <vector>

#include "mpi/call/classify.hpp"

namespace espalier {

struct UserBlock {
  std::int64_t offset = 0;  // bytes, from the buffer's address
  MPI_Count count = 0;      // elements
  MPI_Datatype type = MPI_DATATYPE_NULL;
  TypeFacts facts;

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(count * facts.size); }  // on the wire
};

// By place.
struct UserBlocks {
  std::byte* buffer = nullptr;
  std::vector<UserBlock> blocks;

  [[nodiscard]] std::size_t bytes() const;
};

// What a call says of one block of a buffer with blocks for several ranks: one for all, or that of a place.
[[nodiscard]] MPI_Count count_at(const Call& call, const CallBlocks& described, int place);
[[nodiscard]] MPI_Aint displacement_at(const Call& call, const CallBlocks& described,
                                       int place);  // said.displacements is

// What rank `me` gives, and what it gets. Anyone who gives in place has his blocks in the output buffer. Empty where a
// rank has no such buffer.
[[nodiscard]] UserBlocks input_blocks(const Call& call, const Classified& found, Rank me, Rank size);
[[nodiscard]] UserBlocks output_blocks(const Call& call, const Classified& found, Rank me, Rank size);

}  // namespace espalier
