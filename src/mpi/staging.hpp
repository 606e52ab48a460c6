// SPDX-License-Identifier: Apache-2.0
// Memory of ours in which the elements of an unusual layout lie one after the other.
#pragma once

#include "engine/scratch.hpp"
#include "mpi/arithmetic.hpp"
#include "mpi/type_facts.hpp"

namespace espalier {

// Kept from call to call unless it is large.
class StagingMemory {
 public:
  [[nodiscard]] std::byte* at_least(std::size_t bytes);
  void release_if_large();

 private:
  Scratch memory_{0};
  std::size_t bytes_ = 0;
};

// Elements of a datatype in a user's buffer.
struct UserData {
  void* buffer = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_BYTE;
};

// Between a user's buffer and its signature, packed; return an MPI code.
[[nodiscard]] int pack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed);
[[nodiscard]] int unpack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed);

}  // namespace espalier
