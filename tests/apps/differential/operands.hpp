// SPDX-License-Identifier: Apache-2.0
// What is reduced in the tests: datatypes with operations on them, and what may be promised of the result.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace espalier::apps {

struct Operand {
  // How a result can be judged.
  enum class Judge : std::uint8_t {
    native,      // has the bits of the native result: grouping does not show
    fold,        // the same, but the native MPI cannot be asked: the ranks' values are combined one after the other
    expression,  // has the bits that the algorithm's expression says, computed element by element
    closeness,   // is near the native result
  };
  using Fill = void (*)(std::byte* element, std::uint64_t random);
  using Combine = void (*)(const std::byte* left, std::byte* right);  // right becomes left o right
  using IsClose = bool (*)(const std::byte* element, const std::byte* native);

  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  Judge judge = Judge::native;
  bool commutes = true;
  Fill fill = nullptr;
  Combine combine = nullptr;   // for `fold` and `expression`
  IsClose is_close = nullptr;  // for `closeness`
};

// Makes the types and user operations on first use.
[[nodiscard]] const std::vector<Operand>& operands();

// How often a user operation was called with another datatype than the one that the call named.
[[nodiscard]] std::uint64_t wrong_datatypes();

}  // namespace espalier::apps
