// SPDX-License-Identifier: Apache-2.0
// Operations as an application makes them. Each is a class: its datatype, how an element is filled, and left o right at
// the address that MPI calls the element's.
#pragma once

#include <mpi.h>

#include "differential/values.hpp"

namespace espalier::apps {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

inline MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype result;
  MPI_Type_create_resized(type, lower_bound, extent, &result);
  MPI_Type_free(&type);
  return result;
}

// Commutes and is associative, on a predefined type.
struct SumPlusOne {
  static constexpr bool commutes = true;
  static MPI_Datatype make_type() { return MPI_UINT32_T; }
  static void fill(std::byte* element, U64 random) { store(element, static_cast<U32>(random)); }
  static void combine(const std::byte* left, std::byte* right) { store(right, load<U32>(left) + load<U32>(right) + 1); }
};

// Commutes, but each grouping has its own bits.
struct Mean {
  static constexpr bool commutes = true;
  static MPI_Datatype make_type() { return MPI_DOUBLE; }
  static void fill(std::byte* element, U64 random) { store(element, wild<double>(random)); }
  static void combine(const std::byte* left, std::byte* right) {
    store(right, (load<double>(left) + load<double>(right)) / 2);
  }
};

// A struct with a gap between its members.
struct TaggedSum {
  static constexpr bool commutes = true;
  static MPI_Datatype make_type() {
    const int lengths[] = {1, 1};
    const MPI_Aint displacements[] = {0, 8};
    const MPI_Datatype types[] = {MPI_UINT8_T, MPI_UINT64_T};
    MPI_Datatype type;
    MPI_Type_create_struct(2, lengths, displacements, types, &type);
    return type;
  }
  static void fill(std::byte* element, U64 random) {
    store(element, static_cast<std::uint8_t>(random));
    store(element + 8, random);
  }
  static void combine(const std::byte* left, std::byte* right) {
    store(right, static_cast<std::uint8_t>(load<std::uint8_t>(left) ^ load<std::uint8_t>(right)));
    store(right + 8, load<U64>(left + 8) + load<U64>(right + 8));
  }
};

// A vector with holes, and one at its end.
struct Strided {
  static constexpr bool commutes = true;
  static MPI_Datatype make_type() {
    MPI_Datatype type;
    MPI_Type_vector(3, 1, 2, MPI_UINT32_T, &type);
    return resized(type, 0, 24);
  }
  static void fill(std::byte* element, U64 random) {
    for (U32 k = 0; k < 3; ++k) store(element + 8 * k, static_cast<U32>(random >> 8 * k));
  }
  static void combine(const std::byte* left, std::byte* right) {
    for (U32 k = 0; k < 3; ++k) store(right + 8 * k, load<U32>(left + 8 * k) + load<U32>(right + 8 * k));
  }
};

// All first halves lie before all second ones, so elements are interleaved.
struct Interleaved {
  static constexpr bool commutes = true;
  static constexpr MPI_Aint distance = 1 << 17;  // more than the first halves of any message here
  static MPI_Datatype make_type() {
    const MPI_Aint displacements[] = {0, distance};
    MPI_Datatype type;
    MPI_Type_create_hindexed_block(2, 1, displacements, MPI_UINT32_T, &type);
    return resized(type, 0, sizeof(U32));
  }
  static void fill(std::byte* element, U64 random) {
    store(element, static_cast<U32>(random));
    store(element + distance, static_cast<U32>(random >> 32));
  }
  static void combine(const std::byte* left, std::byte* right) {
    store(right, load<U32>(left) + load<U32>(right));
    store(right + distance, load<U32>(left + distance) ^ load<U32>(right + distance));
  }
};

// The value lies behind the element's address.
struct Shifted {
  static constexpr bool commutes = true;
  static MPI_Datatype make_type() {
    const MPI_Aint displacement = 8;
    MPI_Datatype type;
    MPI_Type_create_hindexed_block(1, 1, &displacement, MPI_UINT64_T, &type);
    return resized(type, 0, 16);
  }
  static void fill(std::byte* element, U64 random) { store(element + 8, random); }
  static void combine(const std::byte* left, std::byte* right) {
    store(right + 8, load<U64>(left + 8) ^ load<U64>(right + 8));
  }
};

// The value lies before the element's address. The last rank's value wins.
struct Ahead {
  static constexpr bool commutes = false;
  static MPI_Datatype make_type() {
    const MPI_Aint displacement = -8;
    MPI_Datatype type;
    MPI_Type_create_hindexed_block(1, 1, &displacement, MPI_UINT64_T, &type);
    return resized(type, -8, 16);
  }
  static void fill(std::byte* element, U64 random) { store(element - 8, random); }
  static void combine(const std::byte*, std::byte*) {}
};

// Maps x -> a x + b, one after the other.
struct Composition {
  static constexpr bool commutes = false;
  static MPI_Datatype make_type() {
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_UINT64_T, &type);
    return type;
  }
  static void fill(std::byte* element, U64 random) {
    store(element, random | 1);
    store(element + 8, random >> 7);
  }
  static void combine(const std::byte* left, std::byte* right) {
    const U64 a = load<U64>(right);
    store(right, load<U64>(left) * a);
    store(right + 8, load<U64>(left + 8) * a + load<U64>(right + 8));
  }
};

// Two by two, row by row, each in `row_bytes` bytes.
template <class T, std::size_t row_bytes>
void multiply_matrices(const std::byte* left, std::byte* right) {
  T a[2][2], b[2][2];
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      a[i][j] = load<T>(left + i * row_bytes + j * sizeof(T));
      b[i][j] = load<T>(right + i * row_bytes + j * sizeof(T));
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      store(right + i * row_bytes + j * sizeof(T), static_cast<T>(a[i][0] * b[0][j] + a[i][1] * b[1][j]));
    }
  }
}

struct IntegerMatrix {  // a gap behind each row
  static constexpr bool commutes = false;
  static MPI_Datatype make_type() {
    MPI_Datatype type;
    MPI_Type_vector(2, 2, 3, MPI_UINT32_T, &type);
    return resized(type, 0, 24);
  }
  static void fill(std::byte* element, U64 random) {
    for (U32 k = 0; k < 4; ++k) store(element + k / 2 * 12 + k % 2 * 4, static_cast<U32>(random >> 8 * k));
  }
  static void combine(const std::byte* left, std::byte* right) { multiply_matrices<U32, 12>(left, right); }
};

struct RealMatrix {  // rounds, so its grouping shows as well
  static constexpr bool commutes = false;
  static MPI_Datatype make_type() {
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_DOUBLE, &type);
    return type;
  }
  static void fill(std::byte* element, U64 random) {
    for (U32 k = 0; k < 4; ++k) store(element + 8 * k, near_one(random * (2 * k + 1)) / 2);
  }
  static void combine(const std::byte* left, std::byte* right) { multiply_matrices<double, 16>(left, right); }
};

}  // namespace espalier::apps
