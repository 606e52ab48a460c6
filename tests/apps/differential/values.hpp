// SPDX-License-Identifier: Apache-2.0
// Values for the elements that are reduced: such that the result is the same in whatever order they are combined; or,
// on purpose, not.
#pragma once

#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace espalier::apps {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store(std::byte* to, const T& value) {
  std::memcpy(to, &value, sizeof value);
}

// --- In whatever order -----------------------------------------------------------------------------------------------

// Sums of integers must not overflow; nor those of short unsigned ones, for which Open MPI's vector code saturates and
// its scalar code wraps around.
template <class T>
T summand(std::uint64_t random) {
  const int value = static_cast<int>(random % 7);
  return static_cast<T>(std::is_unsigned_v<T> ? value : value - 3);
}

// Nor may products, of up to nine ranks.
template <class T>
T factor(std::uint64_t random) {
  const int small = std::is_unsigned_v<T> ? 1 : -1;
  return static_cast<T>(random % 3 == 0 && sizeof(T) >= 4 ? 2 : random % 3 == 1 ? 1 : small);
}

template <class T>
T any_integer(std::uint64_t random) {
  return static_cast<T>(random);
}

template <class T>
T counting_number(std::uint64_t random) {
  return static_cast<T>(random & static_cast<std::uint64_t>(std::numeric_limits<T>::max()));
}

template <class T>
T mostly_zero(std::uint64_t random) {
  return random % 4 == 0 ? static_cast<T>(random >> 8 | 1) : T(0);
}

inline bool truth(std::uint64_t random) { return random % 3 == 0; }

template <class Complex>
Complex complex_summand(std::uint64_t random) {
  using T = typename Complex::value_type;
  return {static_cast<T>(1 + random % 7), static_cast<T>(1 + random / 7 % 7)};
}

// No product of these has a part that is zero, whose sign would show the order.
template <class Complex>
Complex complex_factor(std::uint64_t random) {
  return random % 2 == 0 ? Complex(2, 1) : Complex(3, 2);
}

// MPI's pairs of a value and an index; few values, so that many ranks have the same.
template <class T>
struct Located {
  T value;
  int index;
};

template <class T>
void fill_located(std::byte* element, std::uint64_t random) {
  Located<T> pair;
  std::memset(&pair, 0, sizeof pair);
  pair.value = static_cast<T>(random % 3);
  pair.index = static_cast<int>(random >> 32 & 0xffff);
  store(element, pair);
}

// --- Such that the order shows ---------------------------------------------------------------------------------------

// In [1/2, 3/2), so that products of many ranks stay in range.
inline double near_one(std::uint64_t random) { return 0.5 + static_cast<double>(random >> 11) * 0x1p-53; }

template <std::floating_point T>
T positive(std::uint64_t random) {
  return static_cast<T>(near_one(random));
}

// Numbers of any sign and many magnitudes: each order of summation has its own bits.
template <std::floating_point T>
T wild(std::uint64_t random) {
  const double sign = random & 1 ? -1 : 1;
  return static_cast<T>(std::ldexp(sign * near_one(random), static_cast<int>(random >> 1 & 15) - 8));
}

// Where the order of two operands shows: zeros of both signs and numbers that cannot be compared.
template <std::floating_point T>
T awkward(std::uint64_t random) {
  switch (random >> 32 & 7) {
    case 0: return T(0);
    case 1: return -T(0);
    case 2: return std::numeric_limits<T>::quiet_NaN();
    case 3: return random & 1 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    default: return wild<T>(random);
  }
}

}  // namespace espalier::apps
