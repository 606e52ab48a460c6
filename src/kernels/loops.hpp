// SPDX-License-Identifier: Apache-2.0
// The loops of all kernels, and the table of who uses which. Included once for each instruction set, by a source file
// that is compiled for it. Everything lies in an unnamed namespace and nothing is called from elsewhere: an inline
// function that the linker shares among source files could bring vector instructions to a processor without them.
#pragma once

#include <type_traits>

#include "kernels/table.hpp"

namespace espalier {
namespace {

// An element in a user's memory: at any address, of any declared type.
template <class T>
struct __attribute__((packed, may_alias)) Unaligned {
  T value;
};

template <class T>
struct Pair {
  T real, imaginary;
};

// Integers are computed without sign, so that they wrap around, and at least as wide as int.
template <class T>
struct Computed {
  using Type = T;
};
template <class T>
requires std::is_integral_v<T>
struct Computed<T> {
  using Type = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
};

// --- Operations on one element --------------------------------------------------------------------------------------

struct Max {
  template <class T>
  static T apply(T left, T right) {
    return left < right ? right : left;
  }
};
struct Min {
  template <class T>
  static T apply(T left, T right) {
    return right < left ? right : left;
  }
};
struct Sum {
  template <class T>
  static T apply(T left, T right) {
    using C = typename Computed<T>::Type;
    return static_cast<T>(static_cast<C>(left) + static_cast<C>(right));
  }
};
struct Prod {
  template <class T>
  static T apply(T left, T right) {
    using C = typename Computed<T>::Type;
    return static_cast<T>(static_cast<C>(left) * static_cast<C>(right));
  }
};
// Not && and ||: without branches the loops become vector code.
struct Land {
  template <class T>
  static T apply(T left, T right) {
    return static_cast<T>((left != 0) & (right != 0));
  }
};
struct Lor {
  template <class T>
  static T apply(T left, T right) {
    return static_cast<T>((left != 0) | (right != 0));
  }
};
struct Lxor {
  template <class T>
  static T apply(T left, T right) {
    return static_cast<T>((left != 0) ^ (right != 0));
  }
};
struct Band {
  template <class T>
  static T apply(T left, T right) {
    return static_cast<T>(left & right);
  }
};
struct Bor {
  template <class T>
  static T apply(T left, T right) {
    return static_cast<T>(left | right);
  }
};
struct Bxor {
  template <class T>
  static T apply(T left, T right) {
    return static_cast<T>(left ^ right);
  }
};

// The formula; wrong only where it makes both parts NaN though an operand was infinite.
struct PlainComplexProd {
  template <class T>
  static Pair<T> apply(Pair<T> left, Pair<T> right) {
    return {left.real * right.real - left.imaginary * right.imaginary,
            left.real * right.imaginary + left.imaginary * right.real};
  }
};
// The compiler's own complex type multiplies as C's Annex G says.
template <class T>
struct ComplexOf;
template <>
struct ComplexOf<float> {
  using Type = _Complex float;
};
template <>
struct ComplexOf<double> {
  using Type = _Complex double;
};
template <>
struct ComplexOf<long double> {
  using Type = _Complex long double;
};
template <class T>
typename ComplexOf<T>::Type as_complex(Pair<T> pair) {
  typename ComplexOf<T>::Type result;
  __real__ result = pair.real;
  __imag__ result = pair.imaginary;
  return result;
}
struct CarefulComplexProd {
  template <class T>
  static Pair<T> apply(Pair<T> left, Pair<T> right) {
    const auto product = as_complex(left) * as_complex(right);
    return {__real__ product, __imag__ product};
  }
};

// --- Loops ----------------------------------------------------------------------------------------------------------

// Two operands: what may overlap is known, so the loop needs no checks at run time.
template <class Op, class T>
void into_right(Unaligned<T>* __restrict target, const Unaligned<T>* __restrict left, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) target[i].value = Op::apply(left[i].value, target[i].value);
}

template <class Op, class T>
void into_left(Unaligned<T>* __restrict target, const Unaligned<T>* __restrict right, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) target[i].value = Op::apply(target[i].value, right[i].value);
}

// Three operands: the first combination goes where it belongs without being copied there before.
template <class Op, class T>
void into_third(Unaligned<T>* __restrict target, const Unaligned<T>* __restrict left,
                const Unaligned<T>* __restrict right, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) target[i].value = Op::apply(left[i].value, right[i].value);
}

template <class Op, class T>
void combine(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  auto* const t = static_cast<Unaligned<T>*>(target);
  const auto* const l = static_cast<const Unaligned<T>*>(left);
  const auto* const r = static_cast<const Unaligned<T>*>(right);
  if (target == right) return into_right<Op, T>(t, l, elements);
  if (target == left) return into_left<Op, T>(t, r, elements);
  into_third<Op, T>(t, l, r, elements);
}

// A complex sum is a sum of twice as many numbers.
template <class T>
void complex_sum(void* target, const void* left, const void* right, std::size_t elements, const void* context) {
  combine<Sum, T>(target, left, right, 2 * elements, context);
}

// Whether the formula makes both parts of some element NaN.
template <class T>
bool needs_care(const Unaligned<Pair<T>>* left, const Unaligned<Pair<T>>* right, std::size_t elements) {
  using Flag = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  Flag found = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    const Pair<T> product = PlainComplexProd::apply(left[i].value, right[i].value);
    found |= static_cast<Flag>((product.real != product.real) & (product.imaginary != product.imaginary));
  }
  return found != 0;
}

// Piece by piece, small enough for the nearest cache: look whether care is needed, then compute.
template <class T>
void complex_prod(void* target, const void* left, const void* right, std::size_t elements, const void* context) {
  constexpr std::size_t piece = 256;
  auto* t = static_cast<Unaligned<Pair<T>>*>(target);
  const auto* l = static_cast<const Unaligned<Pair<T>>*>(left);
  const auto* r = static_cast<const Unaligned<Pair<T>>*>(right);
  for (; elements > 0; t += piece, l += piece, r += piece) {
    const std::size_t count = elements < piece ? elements : piece;
    const auto loop =
        needs_care(l, r, count) ? combine<CarefulComplexProd, Pair<T>> : combine<PlainComplexProd, Pair<T>>;
    loop(t, l, r, count, context);
    elements -= count;
  }
}

// --- Who uses which -------------------------------------------------------------------------------------------------

template <class T>
using Unsigned = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

// A sign matters to order only; for everything else both types share one loop.
template <class T>
constexpr void add_real(KernelTable& table, ElementType type) {
  table.at(Operator::max, type) = combine<Max, T>;
  table.at(Operator::min, type) = combine<Min, T>;
  table.at(Operator::sum, type) = combine<Sum, Unsigned<T>>;
  table.at(Operator::prod, type) = combine<Prod, Unsigned<T>>;
}

template <class T>
constexpr void add_logical(KernelTable& table, ElementType type) {
  table.at(Operator::land, type) = combine<Land, T>;
  table.at(Operator::lor, type) = combine<Lor, T>;
  table.at(Operator::lxor, type) = combine<Lxor, T>;
}

template <class T>
constexpr void add_bitwise(KernelTable& table, ElementType type) {
  table.at(Operator::band, type) = combine<Band, T>;
  table.at(Operator::bor, type) = combine<Bor, T>;
  table.at(Operator::bxor, type) = combine<Bxor, T>;
}

template <class T>
constexpr void add_integer(KernelTable& table, ElementType type) {
  add_real<T>(table, type);
  add_logical<Unsigned<T>>(table, type);
  add_bitwise<Unsigned<T>>(table, type);
}

// GCC 12 makes fused multiply-adds of complex products for AVX-512, -ffp-contract=off or not. They would round
// differently, so that set is left without these products, and the next lower one serves.
template <class T>
constexpr void add_complex(KernelTable& table, ElementType type) {
  table.at(Operator::sum, type) = complex_sum<T>;
#ifndef __AVX512F__
  table.at(Operator::prod, type) = complex_prod<T>;
#endif
}

constexpr KernelTable all_kernels() {
  KernelTable table;
  add_integer<std::int8_t>(table, ElementType::int8);
  add_integer<std::int16_t>(table, ElementType::int16);
  add_integer<std::int32_t>(table, ElementType::int32);
  add_integer<std::int64_t>(table, ElementType::int64);
  add_integer<std::uint8_t>(table, ElementType::uint8);
  add_integer<std::uint16_t>(table, ElementType::uint16);
  add_integer<std::uint32_t>(table, ElementType::uint32);
  add_integer<std::uint64_t>(table, ElementType::uint64);
  add_real<float>(table, ElementType::float32);
  add_real<double>(table, ElementType::float64);
  add_real<long double>(table, ElementType::long_double);
  add_complex<float>(table, ElementType::complex64);
  add_complex<double>(table, ElementType::complex128);
  add_complex<long double>(table, ElementType::complex_long_double);
  add_logical<std::uint8_t>(table, ElementType::logical8);
  add_logical<std::uint16_t>(table, ElementType::logical16);
  add_logical<std::uint32_t>(table, ElementType::logical32);
  add_logical<std::uint64_t>(table, ElementType::logical64);
  add_bitwise<std::uint8_t>(table, ElementType::byte);
  return table;
}

}  // namespace
}  // namespace espalier
