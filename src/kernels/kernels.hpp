// SPDX-License-Identifier: Apache-2.0
// Reductions of the predefined operations on the predefined types.
//
// A kernel takes target == left, target == right, or three buffers that do not overlap; buffers may lie at any address.
// It sees its operands as MPI does, left o right, and rounds each element on its own: the bits do not depend on the
// length, on the alignment or on the processor's vector instructions (no fused multiply-add, no regrouping).
//
//   max, min   `left` where the operands are equal (zeros of different sign) or cannot be compared (NaN): what the
//   loops
//              of MPICH and Open MPI do. Open MPI's vectorised ones take `right`; so such values may differ from there
//   sum, prod  integers wrap around. The complex product is that of C, infinities included, as in both MPIs
//   land ...   nonzero is true; the result is 0 or 1
#pragma once

#include <span>
#include <string_view>

#include "engine/call.hpp"

namespace espalier {

enum class Operator : std::uint8_t { max, min, sum, prod, land, band, lor, bor, lxor, bxor };
inline constexpr std::size_t operator_count = 10;

// `logical` is a C or C++ bool, or a Fortran LOGICAL, of that many bits; `byte` is MPI_BYTE.
enum class ElementType : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  long_double,
  complex64,
  complex128,
  complex_long_double,
  logical8,
  logical16,
  logical32,
  logical64,
  byte,
};
inline constexpr std::size_t element_type_count = 19;

[[nodiscard]] std::string_view name_of(Operator operation);
[[nodiscard]] std::string_view name_of(ElementType type);
[[nodiscard]] std::size_t size_of(ElementType type);

// Null for pairs that MPI does not define: only max, min, sum, prod of real numbers, sum and prod of complex ones,
// logical operations on integers and logicals, bitwise ones on integers and bytes.
[[nodiscard]] Reduction::Kernel find_kernel(Operator operation, ElementType type);

// The same, compiled for particular vector instructions. Only to compare them.
enum class Isa : std::uint8_t { baseline, avx2, avx512 };
[[nodiscard]] std::string_view name_of(Isa isa);
// Those that this processor has, the best one last.
[[nodiscard]] std::span<const Isa> supported_isas();
[[nodiscard]] Reduction::Kernel find_kernel(Operator operation, ElementType type, Isa isa);

}  // namespace espalier
