// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/handles.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace espalier {

namespace {

struct TypeRow {
  MPI_Datatype handle;
  KnownType known;
};

template <class T>
constexpr ElementType signed_integer() {
  constexpr ElementType by_size[] = {ElementType::int8, ElementType::int16, ElementType::int32, ElementType::int64};
  return by_size[sizeof(T) / 2 - sizeof(T) / 8];
}
template <class T>
constexpr ElementType unsigned_integer() {
  constexpr ElementType by_size[] = {ElementType::uint8, ElementType::uint16, ElementType::uint32, ElementType::uint64};
  return by_size[sizeof(T) / 2 - sizeof(T) / 8];
}
static_assert(signed_integer<std::int8_t>() == ElementType::int8 &&
              signed_integer<std::int16_t>() == ElementType::int16);
static_assert(signed_integer<std::int32_t>() == ElementType::int32 &&
              signed_integer<std::int64_t>() == ElementType::int64);

// Fortran's default kinds have the sizes that every MPI below is built for unless told otherwise; where one is not,
// classify() does without our kernel. Its logicals have truth values that only the MPI knows: they have no kernel of
// ours.
std::vector<TypeRow> known_types() {
  using enum TypeGroup;
  using E = ElementType;
  return {
      {MPI_SIGNED_CHAR, {c_integer, E::int8}},
      {MPI_SHORT, {c_integer, signed_integer<short>()}},
      {MPI_INT, {c_integer, signed_integer<int>()}},
      {MPI_LONG, {c_integer, signed_integer<long>()}},
      {MPI_LONG_LONG, {c_integer, signed_integer<long long>()}},
      {MPI_INT8_T, {c_integer, E::int8}},
      {MPI_INT16_T, {c_integer, E::int16}},
      {MPI_INT32_T, {c_integer, E::int32}},
      {MPI_INT64_T, {c_integer, E::int64}},
      {MPI_UNSIGNED_CHAR, {c_integer, E::uint8}},
      {MPI_UNSIGNED_SHORT, {c_integer, unsigned_integer<unsigned short>()}},
      {MPI_UNSIGNED, {c_integer, unsigned_integer<unsigned>()}},
      {MPI_UNSIGNED_LONG, {c_integer, unsigned_integer<unsigned long>()}},
      {MPI_UNSIGNED_LONG_LONG, {c_integer, unsigned_integer<unsigned long long>()}},
      {MPI_UINT8_T, {c_integer, E::uint8}},
      {MPI_UINT16_T, {c_integer, E::uint16}},
      {MPI_UINT32_T, {c_integer, E::uint32}},
      {MPI_UINT64_T, {c_integer, E::uint64}},
      {MPI_INTEGER, {fortran_integer, E::int32}},
      {MPI_INTEGER1, {fortran_integer, E::int8}},
      {MPI_INTEGER2, {fortran_integer, E::int16}},
      {MPI_INTEGER4, {fortran_integer, E::int32}},
      {MPI_INTEGER8, {fortran_integer, E::int64}},
      {MPI_AINT, {multi_language, signed_integer<MPI_Aint>()}},
      {MPI_OFFSET, {multi_language, signed_integer<MPI_Offset>()}},
      {MPI_COUNT, {multi_language, signed_integer<MPI_Count>()}},
      {MPI_FLOAT, {floating, E::float32}},
      {MPI_DOUBLE, {floating, E::float64}},
      {MPI_LONG_DOUBLE, {floating, E::long_double}},
      {MPI_REAL, {floating, E::float32}},
      {MPI_DOUBLE_PRECISION, {floating, E::float64}},
      {MPI_REAL4, {floating, E::float32}},
      {MPI_REAL8, {floating, E::float64}},
      {MPI_REAL16, {floating, {}}},
      {MPI_C_FLOAT_COMPLEX, {complex, E::complex64}},
      {MPI_C_DOUBLE_COMPLEX, {complex, E::complex128}},
      {MPI_C_LONG_DOUBLE_COMPLEX, {complex, E::complex_long_double}},
      {MPI_CXX_FLOAT_COMPLEX, {complex, E::complex64}},
      {MPI_CXX_DOUBLE_COMPLEX, {complex, E::complex128}},
      {MPI_CXX_LONG_DOUBLE_COMPLEX, {complex, E::complex_long_double}},
      {MPI_COMPLEX, {complex, E::complex64}},
      {MPI_DOUBLE_COMPLEX, {complex, E::complex128}},
      {MPI_COMPLEX8, {complex, E::complex64}},
      {MPI_COMPLEX16, {complex, E::complex128}},
      {MPI_COMPLEX32, {complex, {}}},
      {MPI_C_BOOL, {logical, E::logical8}},
      {MPI_CXX_BOOL, {logical, E::logical8}},
      {MPI_LOGICAL, {logical, {}}},
      {MPI_BYTE, {byte, E::byte}},
      {MPI_2INT, {integer_pair, {}}},
      {MPI_SHORT_INT, {integer_pair, {}}},
      {MPI_LONG_INT, {integer_pair, {}}},
      {MPI_2INTEGER, {integer_pair, {}}},
      {MPI_FLOAT_INT, {floating_pair, {}}},
      {MPI_DOUBLE_INT, {floating_pair, {}}},
      {MPI_LONG_DOUBLE_INT, {floating_pair, {}}},
      {MPI_2REAL, {floating_pair, {}}},
      {MPI_2DOUBLE_PRECISION, {floating_pair, {}}},
      {MPI_CHAR, {other, {}}},
      {MPI_WCHAR, {other, {}}},
      {MPI_CHARACTER, {other, {}}},
      {MPI_PACKED, {other, {}}},
  };
}

// Sorted by handle. An MPI may give several names one handle; the first row then counts.
std::vector<TypeRow> sorted_types() {
  std::vector<TypeRow> rows = known_types();
  std::erase_if(rows, [](const TypeRow& row) { return row.handle == MPI_DATATYPE_NULL; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TypeRow& a, const TypeRow& b) { return number_of(a.handle) < number_of(b.handle); });
  return rows;
}

}  // namespace

const KnownType* find_known_type(MPI_Datatype type) {
  static const auto& rows = *new std::vector<TypeRow>(sorted_types());  // also for calls after static destructors
  const auto row = std::lower_bound(rows.begin(), rows.end(), number_of(type),
                                    [](const TypeRow& r, std::uintptr_t n) { return number_of(r.handle) < n; });
  return row != rows.end() && row->handle == type ? &row->known : nullptr;
}

std::optional<KnownOp> find_known_op(MPI_Op op) {
  static const std::array ops = {
      std::pair{MPI_MAX, KnownOp::max},       std::pair{MPI_MIN, KnownOp::min},
      std::pair{MPI_SUM, KnownOp::sum},       std::pair{MPI_PROD, KnownOp::prod},
      std::pair{MPI_LAND, KnownOp::land},     std::pair{MPI_BAND, KnownOp::band},
      std::pair{MPI_LOR, KnownOp::lor},       std::pair{MPI_BOR, KnownOp::bor},
      std::pair{MPI_LXOR, KnownOp::lxor},     std::pair{MPI_BXOR, KnownOp::bxor},
      std::pair{MPI_MAXLOC, KnownOp::maxloc}, std::pair{MPI_MINLOC, KnownOp::minloc},
      std::pair{MPI_REPLACE, KnownOp::other}, std::pair{MPI_NO_OP, KnownOp::other},
  };
  const auto known = std::find_if(ops.begin(), ops.end(), [&](const auto& row) { return row.first == op; });
  return known == ops.end() ? std::nullopt : std::optional(known->second);
}

std::optional<Operator> operator_of(KnownOp op) {
  static_assert(static_cast<int>(KnownOp::max) == static_cast<int>(Operator::max));
  static_assert(static_cast<int>(KnownOp::bxor) == static_cast<int>(Operator::bxor));
  return op <= KnownOp::bxor ? std::optional(static_cast<Operator>(op)) : std::nullopt;
}

bool is_defined(KnownOp op, TypeGroup group) {
  using enum TypeGroup;
  const bool integer = group == c_integer || group == fortran_integer || group == multi_language;
  switch (op) {
    case KnownOp::max:
    case KnownOp::min: return integer || group == floating;
    case KnownOp::sum:
    case KnownOp::prod: return integer || group == floating || group == complex;
    case KnownOp::land:
    case KnownOp::lor:
    case KnownOp::lxor: return group == c_integer || group == logical;
    case KnownOp::band:
    case KnownOp::bor:
    case KnownOp::bxor: return integer || group == TypeGroup::byte;
    case KnownOp::maxloc:
    case KnownOp::minloc: return group == integer_pair || group == floating_pair;
    case KnownOp::other: return false;
  }
  return false;
}

// Floating-point maxima and minima are not: of zeros with different signs, and of NaNs, one operand is taken by place.
bool is_exact(KnownOp op, TypeGroup group) {
  return is_defined(op, group) && group != TypeGroup::floating && group != TypeGroup::complex &&
         group != TypeGroup::floating_pair;
}

// Only the order in which three or more are added shows. (A product of complex numbers is a sum of two that a compiler
// may contract with either.)
bool is_exact_of_two(KnownOp op, TypeGroup group) {
  if (!is_defined(op, group)) return false;
  return op == KnownOp::sum || (op == KnownOp::prod && group == TypeGroup::floating);
}

}  // namespace espalier
