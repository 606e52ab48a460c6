// SPDX-License-Identifier: Apache-2.0
// What is reduced in the tests: datatypes with operations on them, and what may be promised of the result.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace espalier::apps {

struct Operand {
  using Fill = void (*)(std::byte* element, std::uint64_t random);
  using Combine = void (*)(const std::byte* left, std::byte* right);  // right becomes left o right

  std::string type_name, op_name;  // as cases have them
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  bool is_predefined = true;  // the operation
  bool commutes = true;
  Fill fill = nullptr;
  // Of those whose result shows in what order it was computed, element by element; null: it does not show.
  Combine combine = nullptr;

  [[nodiscard]] bool rounds() const { return combine != nullptr; }
};

// Makes the types and user operations on first use.
[[nodiscard]] std::span<const Operand> operands();
// Throws std::invalid_argument if there is none.
[[nodiscard]] const Operand& operand_named(const std::string& type, const std::string& op);

// How often a user operation was called with another datatype than the one that the call named.
[[nodiscard]] std::uint64_t wrong_datatypes();

}  // namespace espalier::apps
