// SPDX-License-Identifier: Apache-2.0
// All kernels of all instruction sets that this processor has, against scalar references written differently.
#include "kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace espalier {
namespace {

constexpr int all_operators = static_cast<int>(operator_count);
constexpr int all_types = static_cast<int>(element_type_count);

// --- Reference ------------------------------------------------------------------------------------------------------

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

template <class T>
T reference_integer(Operator operation, T a, T b) {
  const auto x = static_cast<unsigned __int128>(a), y = static_cast<unsigned __int128>(b);
  switch (operation) {
    case Operator::max: return std::max(a, b);
    case Operator::min: return std::min(a, b);
    case Operator::sum: return static_cast<T>(x + y);
    case Operator::prod: return static_cast<T>(x * y);
    case Operator::land: return a && b;
    case Operator::lor: return a || b;
    case Operator::lxor: return !a != !b;
    case Operator::band: return static_cast<T>(x & y);
    case Operator::bor: return static_cast<T>(x | y);
    case Operator::bxor: return static_cast<T>(x ^ y);
  }
  return {};
}

template <class T>
T reference_float(Operator operation, T a, T b) {
  switch (operation) {
    case Operator::max: return std::isgreater(b, a) ? b : a;
    case Operator::min: return std::isless(b, a) ? b : a;
    case Operator::sum: return a + b;
    default: return a * b;
  }
}

template <class T>
T reference(Operator operation, T a, T b) {
  if constexpr (is_complex<T>) {
    return operation == Operator::sum ? a + b : a * b;
  } else if constexpr (std::is_floating_point_v<T>) {
    return reference_float(operation, a, b);
  } else {
    return reference_integer(operation, a, b);
  }
}

// --- Values ---------------------------------------------------------------------------------------------------------

using Random = std::mt19937_64;

template <class T>
T float_value(Random& random) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::max(),
                       Limits::min(),
                       Limits::denorm_min(),
                       Limits::epsilon()};
  if (random() % 4 == 0) return special[random() % std::size(special)];
  return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(random())) / 1e15);
}

template <class T>
T value(Random& random) {
  if constexpr (is_complex<T>) {
    using Part = typename T::value_type;
    const Part real = float_value<Part>(random);
    return {real, float_value<Part>(random)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return float_value<T>(random);
  } else {
    return random() % 4 == 0 ? T(random() % 2) : static_cast<T>(random());
  }
}

template <class T>
bool same_float(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T>
bool same(T a, T b) {
  if constexpr (is_complex<T>) {
    return same_float(a.real(), b.real()) && same_float(a.imag(), b.imag());
  } else if constexpr (std::is_floating_point_v<T>) {
    return same_float(a, b);
  } else {
    return a == b;
  }
}

// Elements at any address, with a guard behind them.
template <class T>
class Loose {
 public:
  Loose(std::size_t elements, std::size_t misalignment, Random& random)
      : bytes_(misalignment + elements * sizeof(T) + guard_bytes, guard), start_(misalignment), elements_(elements) {
    for (std::size_t i = 0; i < elements; ++i) set(i, value<T>(random));
  }
  std::byte* data() { return bytes_.data() + start_; }
  T operator[](std::size_t i) const {
    T result;
    std::memcpy(&result, bytes_.data() + start_ + i * sizeof(T), sizeof(T));
    return result;
  }
  void set(std::size_t i, const T& element) { std::memcpy(data() + i * sizeof(T), &element, sizeof(T)); }
  bool guarded() const {
    for (std::size_t k = start_ + elements_ * sizeof(T); k < bytes_.size(); ++k) {
      if (bytes_[k] != guard) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t guard_bytes = 80;
  static constexpr std::byte guard{0xA5};
  std::vector<std::byte> bytes_;
  std::size_t start_, elements_;
};

enum class Form { into_left, into_right, into_third };

template <class T>
void check(Reduction::Kernel kernel, Operator operation, Form form, std::size_t elements, std::size_t misalignment,
           Random& random) {
  Loose<T> left(elements, misalignment, random), right(elements, misalignment, random);
  Loose<T> third(elements, misalignment, random);
  const Loose<T> old_left = left, old_right = right;
  Loose<T>& target = form == Form::into_left ? left : form == Form::into_right ? right : third;
  kernel(target.data(), left.data(), right.data(), elements, nullptr);
  for (std::size_t i = 0; i < elements; ++i) {
    const T expected = reference<T>(operation, old_left[i], old_right[i]);
    ASSERT_TRUE(same(target[i], expected)) << "element " << i << " of " << elements << ", form "
                                           << static_cast<int>(form) << ", address + " << misalignment;
  }
  ASSERT_TRUE(target.guarded()) << elements << " elements, address + " << misalignment;
}

template <class T>
void check_all(ElementType type) {
  ASSERT_EQ(size_of(type), sizeof(T));
  Random random(2026);
  for (int k = 0; k < all_operators; ++k) {
    const auto operation = static_cast<Operator>(k);
    for (const Isa isa : supported_isas()) {
      const Reduction::Kernel kernel = find_kernel(operation, type, isa);
      if (kernel == nullptr) continue;
      SCOPED_TRACE(std::string(name_of(operation)) + " of " + std::string(name_of(type)) + " by " +
                   std::string(name_of(isa)));
      for (const std::size_t elements : {0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 255, 256, 257, 1000}) {
        for (const std::size_t misalignment : {0, 1, 4}) {
          for (const Form form : {Form::into_left, Form::into_right, Form::into_third}) {
            check<T>(kernel, operation, form, elements, misalignment, random);
            if (testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(Kernels, equal_the_scalar_reference_for_integers) {
  check_all<std::int8_t>(ElementType::int8);
  check_all<std::int16_t>(ElementType::int16);
  check_all<std::int32_t>(ElementType::int32);
  check_all<std::int64_t>(ElementType::int64);
  check_all<std::uint8_t>(ElementType::uint8);
  check_all<std::uint16_t>(ElementType::uint16);
  check_all<std::uint32_t>(ElementType::uint32);
  check_all<std::uint64_t>(ElementType::uint64);
  check_all<std::uint8_t>(ElementType::byte);
}

TEST(Kernels, equal_the_scalar_reference_for_logicals) {
  check_all<std::uint8_t>(ElementType::logical8);
  check_all<std::uint16_t>(ElementType::logical16);
  check_all<std::uint32_t>(ElementType::logical32);
  check_all<std::uint64_t>(ElementType::logical64);
}

TEST(Kernels, equal_the_scalar_reference_for_floating_point_with_nan_infinity_and_signed_zeros) {
  check_all<float>(ElementType::float32);
  check_all<double>(ElementType::float64);
  check_all<long double>(ElementType::long_double);
}

TEST(Kernels, equal_the_scalar_reference_for_complex_numbers_with_nan_and_infinity) {
  check_all<std::complex<float>>(ElementType::complex64);
  check_all<std::complex<double>>(ElementType::complex128);
  check_all<std::complex<long double>>(ElementType::complex_long_double);
}

// --- What is defined ------------------------------------------------------------------------------------------------

std::vector<Operator> operators_of(ElementType type) {
  std::vector<Operator> result;
  for (int k = 0; k < all_operators; ++k) {
    if (find_kernel(static_cast<Operator>(k), type) != nullptr) result.push_back(static_cast<Operator>(k));
  }
  return result;
}

TEST(Kernels, exist_for_the_pairs_that_mpi_defines_and_for_no_others) {
  using enum Operator;
  const std::vector<Operator> integer{max, min, sum, prod, land, band, lor, bor, lxor, bxor};
  const std::vector<Operator> real{max, min, sum, prod}, complex{sum, prod}, logical{land, lor, lxor},
      bitwise{band, bor, bxor};
  for (const auto type : {ElementType::int8, ElementType::int16, ElementType::int32, ElementType::int64,
                          ElementType::uint8, ElementType::uint16, ElementType::uint32, ElementType::uint64}) {
    EXPECT_EQ(operators_of(type), integer) << name_of(type);
  }
  for (const auto type : {ElementType::float32, ElementType::float64, ElementType::long_double}) {
    EXPECT_EQ(operators_of(type), real) << name_of(type);
  }
  for (const auto type : {ElementType::complex64, ElementType::complex128, ElementType::complex_long_double}) {
    EXPECT_EQ(operators_of(type), complex) << name_of(type);
  }
  for (const auto type :
       {ElementType::logical8, ElementType::logical16, ElementType::logical32, ElementType::logical64}) {
    EXPECT_EQ(operators_of(type), logical) << name_of(type);
  }
  EXPECT_EQ(operators_of(ElementType::byte), bitwise);
}

TEST(Kernels, have_names_that_differ) {
  for (int a = 0; a < all_types; ++a) {
    for (int b = 0; b < a; ++b) EXPECT_NE(name_of(static_cast<ElementType>(a)), name_of(static_cast<ElementType>(b)));
  }
  EXPECT_EQ(name_of(Operator::bxor), "bxor");
  EXPECT_EQ(name_of(ElementType::byte), "byte");
}

TEST(Kernels, keep_the_left_operand_where_floats_compare_equal_or_not_at_all) {
  const auto apply = [](Operator operation, double left, double right) {
    double target = 0;
    find_kernel(operation, ElementType::float64)(&target, &left, &right, 1, nullptr);
    return target;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Operator operation : {Operator::max, Operator::min}) {
    EXPECT_TRUE(std::isnan(apply(operation, nan, 1.0)));
    EXPECT_EQ(apply(operation, 1.0, nan), 1.0);
    EXPECT_TRUE(std::signbit(apply(operation, -0.0, 0.0)));
    EXPECT_FALSE(std::signbit(apply(operation, 0.0, -0.0)));
  }
}

}  // namespace
}  // namespace espalier
