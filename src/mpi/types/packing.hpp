// SPDX-License-Identifier: Apache-2.0
// Between elements of a datatype in a user's buffer and their signature, packed.
#pragma once

#include "mpi/types/arithmetic.hpp"
#include "mpi/types/type_facts.hpp"

namespace espalier {

struct UserData {
  void* buffer = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_BYTE;
};

// Return an MPI code.
[[nodiscard]] int pack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed);
[[nodiscard]] int unpack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed);

}  // namespace espalier
