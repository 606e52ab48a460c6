// SPDX-License-Identifier: Apache-2.0
// What the predefined handles of the MPI stand for.
#pragma once

#include <mpi.h>

#include <cstring>
#include <optional>

#include "kernels/kernels.hpp"

namespace espalier {

// A handle is a number in one MPI and a pointer in another.
template <class Handle>
[[nodiscard]] std::uintptr_t number_of(Handle handle) {
  static_assert(sizeof handle <= sizeof(std::uintptr_t));
  std::uintptr_t number = 0;
  std::memcpy(&number, &handle, sizeof handle);
  return number;
}

// The groups of datatypes by which MPI says what an operation is defined for.
enum class TypeGroup : std::uint8_t {
  c_integer,
  fortran_integer,
  multi_language,
  floating,
  complex,
  logical,
  byte,
  integer_pair,
  floating_pair,
  other,  // predefined, but no operation is
};

struct KnownType {
  TypeGroup group = TypeGroup::other;
  std::optional<ElementType> element;  // what our kernels call it, if they know it
};

// Null for a derived datatype.
[[nodiscard]] const KnownType* find_known_type(MPI_Datatype type);

enum class KnownOp : std::uint8_t {
  max,
  min,
  sum,
  prod,
  land,
  band,
  lor,
  bor,
  lxor,
  bxor,  // as in Operator
  maxloc,
  minloc,
  other,  // predefined, but not for reductions
};

// Nothing for an operation of the user.
[[nodiscard]] std::optional<KnownOp> find_known_op(MPI_Op op);
[[nodiscard]] std::optional<Operator> operator_of(KnownOp op);

// Whether MPI defines the operation on these datatypes.
[[nodiscard]] bool is_defined(KnownOp op, TypeGroup group);
// Whether neither order nor grouping of the operands shows in the bits of the result.
[[nodiscard]] bool is_exact(KnownOp op, TypeGroup group);
// Whether two operands give the same bits in either order, but for what a NaN holds.
[[nodiscard]] bool is_exact_of_two(KnownOp op, TypeGroup group);

}  // namespace espalier
