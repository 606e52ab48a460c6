// SPDX-License-Identifier: Apache-2.0
#include "differential/operands.hpp"

#include <atomic>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstring>
#include <limits>

namespace espalier::apps {

namespace {

using Judge = Operand::Judge;

std::atomic<std::uint64_t> wrong_datatype_count{0};

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

// --- Values of predefined types --------------------------------------------------------------------------------------

// In [1/2, 3/2), so that products and sums of many ranks stay in range and no digits cancel.
double near_one(std::uint64_t random) { return 0.5 + static_cast<double>(random >> 11) * 0x1p-53; }

// Numbers of any sign and many magnitudes: each order of summation has its own bits.
template <std::floating_point T>
T wild(std::uint64_t random) {
  const double sign = random & 1 ? -1 : 1;
  return static_cast<T>(std::ldexp(sign * near_one(random), static_cast<int>(random >> 1 & 15) - 8));
}

template <class T>
T any_value(std::uint64_t random) {
  if constexpr (std::floating_point<T>) return wild<T>(random);
  if constexpr (std::integral<T>) return static_cast<T>(random);
}

// Sums of signed integers must not overflow; nor those of short unsigned ones, for which Open MPI's vector code
// saturates and its scalar code wraps around.
template <class T>
T small_value(std::uint64_t random) {
  return static_cast<T>(static_cast<int>(random % 7) - 3);
}

template <class T>
T digit(std::uint64_t random) {
  return static_cast<T>(random % 10);
}

template <class T>
T factor(std::uint64_t random) {
  return static_cast<T>(random % 3 == 0 ? 2 : random % 3 == 1 ? 1 : -1);
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

template <class T>
T mostly_zero(std::uint64_t random) {
  return random % 4 == 0 ? static_cast<T>(random >> 8) : T(0);
}

bool truth(std::uint64_t random) { return random % 3 == 0; }

template <std::floating_point T>
T positive(std::uint64_t random) {
  return static_cast<T>(near_one(random));
}

template <class T, T (*value)(std::uint64_t)>
void fill(std::byte* element, std::uint64_t random) {
  store(element, value(random));
}

template <class Complex>
void fill_complex(std::byte* element, std::uint64_t random) {
  using T = typename Complex::value_type;
  store(element, Complex(static_cast<T>(near_one(random)), static_cast<T>(near_one(random * 3) / 8)));
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

// --- The scalar meaning of floating-point operations -----------------------------------------------------------------

template <class T>
T sum(T left, T right) {
  return left + right;
}
template <class T>
T product(T left, T right) {
  return left * right;
}
template <class T>
T maximum(T left, T right) {
  return left < right ? right : left;
}
template <class T>
T minimum(T left, T right) {
  return right < left ? right : left;
}

template <class T, T (*operation)(T, T)>
void combine(const std::byte* left, std::byte* right) {
  store(right, operation(load<T>(left), load<T>(right)));
}

template <class Number>
bool is_close(const std::byte* element, const std::byte* native) {
  const auto value = load<Number>(element), reference = load<Number>(native);
  const auto tolerance = 1000 * std::numeric_limits<decltype(std::abs(value))>::epsilon();
  return std::abs(value - reference) <= tolerance * std::abs(reference);
}

// --- User operations -------------------------------------------------------------------------------------------------
// Each is a class: its datatype, how an element is filled, and left o right at the address that MPI calls the
// element's.

using U32 = std::uint32_t;
using U64 = std::uint64_t;

MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent) {
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

// What MPI calls. Its left operands lie in `in`.
template <class Operation>
struct UserOperation {
  static inline MPI_Datatype type;
  static inline MPI_Aint extent;

  static void run(void* in, void* inout, int* count, MPI_Datatype* given) {
    if (*given != type) ++wrong_datatype_count;
    for (int i = 0; i < *count; ++i) {
      Operation::combine(static_cast<const std::byte*>(in) + i * extent, static_cast<std::byte*>(inout) + i * extent);
    }
  }
};

// --- The list --------------------------------------------------------------------------------------------------------

class List {
 public:
  std::vector<Operand> take() { return std::move(operands_); }

  void exact(const std::string& name, MPI_Datatype type, MPI_Op op, Operand::Fill fill_one) {
    operands_.push_back({.name = name, .type = type, .op = op, .judge = Judge::native, .fill = fill_one});
  }
  void rounded(const std::string& name, MPI_Datatype type, MPI_Op op, Operand::Fill fill_one,
               Operand::Combine combine_one) {
    operands_.push_back(
        {.name = name, .type = type, .op = op, .judge = Judge::expression, .fill = fill_one, .combine = combine_one});
  }
  void near(const std::string& name, MPI_Datatype type, MPI_Op op, Operand::Fill fill_one, Operand::IsClose close) {
    operands_.push_back(
        {.name = name, .type = type, .op = op, .judge = Judge::closeness, .fill = fill_one, .is_close = close});
  }
  template <class Operation>
  void user(const std::string& name, Judge judge) {
    using Run = UserOperation<Operation>;
    Run::type = Operation::make_type();
    MPI_Type_commit(&Run::type);
    MPI_Aint lower_bound;
    MPI_Type_get_extent(Run::type, &lower_bound, &Run::extent);
    MPI_Op op;
    MPI_Op_create(Run::run, Operation::commutes, &op);
    operands_.push_back({.name = name,
                         .type = Run::type,
                         .op = op,
                         .judge = judge,
                         .commutes = Operation::commutes,
                         .fill = Operation::fill,
                         .combine = Operation::combine});
  }

  template <class T>
  void real(const std::string& name, MPI_Datatype type) {
    rounded(name + " sum", type, MPI_SUM, fill<T, wild<T>>, combine<T, sum<T>>);
    rounded(name + " product", type, MPI_PROD, fill<T, positive<T>>, combine<T, product<T>>);
    rounded(name + " maximum", type, MPI_MAX, fill<T, awkward<T>>, combine<T, maximum<T>>);
    rounded(name + " minimum", type, MPI_MIN, fill<T, awkward<T>>, combine<T, minimum<T>>);
  }
  template <class T>
  void located(const std::string& name, MPI_Datatype type, MPI_Op op) {
    exact(name, type, op, fill_located<T>);
  }

 private:
  std::vector<Operand> operands_;
};

void add_integers(List& list) {
  list.exact("int32 sum", MPI_INT32_T, MPI_SUM, fill<int, small_value<int>>);
  list.exact("int32 product", MPI_INT32_T, MPI_PROD, fill<int, factor<int>>);
  list.exact("int32 maximum", MPI_INT32_T, MPI_MAX, fill<int, any_value<int>>);
  list.exact("int minimum", MPI_INT, MPI_MIN, fill<int, any_value<int>>);
  list.exact("int logical and", MPI_INT, MPI_LAND, fill<int, small_value<int>>);
  list.exact("int logical or", MPI_INT, MPI_LOR, fill<int, mostly_zero<int>>);
  list.exact("int logical xor", MPI_INT, MPI_LXOR, fill<int, mostly_zero<int>>);
  list.exact("int bitwise and", MPI_INT, MPI_BAND, fill<int, any_value<int>>);
  list.exact("unsigned bitwise or", MPI_UNSIGNED, MPI_BOR, fill<U32, any_value<U32>>);
  list.exact("uint32 bitwise xor", MPI_UINT32_T, MPI_BXOR, fill<U32, any_value<U32>>);
  list.exact("uint8 sum", MPI_UINT8_T, MPI_SUM, fill<std::uint8_t, digit<std::uint8_t>>);
  list.exact("int8 minimum", MPI_INT8_T, MPI_MIN, fill<std::int8_t, any_value<std::int8_t>>);
  list.exact("short maximum", MPI_SHORT, MPI_MAX, fill<short, any_value<short>>);
  list.exact("uint16 product", MPI_UINT16_T, MPI_PROD, fill<std::uint16_t, any_value<std::uint16_t>>);
  list.exact("int64 sum", MPI_INT64_T, MPI_SUM, fill<std::int64_t, small_value<std::int64_t>>);
  list.exact("uint64 product", MPI_UINT64_T, MPI_PROD, fill<U64, any_value<U64>>);
  list.exact("long long maximum", MPI_LONG_LONG, MPI_MAX, fill<long long, any_value<long long>>);
  list.exact("address sum", MPI_AINT, MPI_SUM, fill<MPI_Aint, small_value<MPI_Aint>>);
  list.exact("count minimum", MPI_COUNT, MPI_MIN, fill<MPI_Count, any_value<MPI_Count>>);
  list.exact("byte bitwise and", MPI_BYTE, MPI_BAND, fill<std::uint8_t, any_value<std::uint8_t>>);
  list.exact("byte bitwise xor", MPI_BYTE, MPI_BXOR, fill<std::uint8_t, any_value<std::uint8_t>>);
  list.exact("bool logical and", MPI_C_BOOL, MPI_LAND, fill<bool, truth>);
  list.exact("bool logical xor", MPI_C_BOOL, MPI_LXOR, fill<bool, truth>);
}

// Without MPI_LONG_DOUBLE_INT: large messages of it corrupt the heap inside MPICH 5 and Open MPI 5.
void add_pairs(List& list) {
  list.located<int>("2int minimum with location", MPI_2INT, MPI_MINLOC);
  list.located<int>("2int maximum with location", MPI_2INT, MPI_MAXLOC);
  list.located<short>("short-int minimum with location", MPI_SHORT_INT, MPI_MINLOC);
  list.located<long>("long-int maximum with location", MPI_LONG_INT, MPI_MAXLOC);
  list.located<float>("float-int maximum with location", MPI_FLOAT_INT, MPI_MAXLOC);
  list.located<double>("double-int minimum with location", MPI_DOUBLE_INT, MPI_MINLOC);
}

void add_real_and_complex(List& list) {
  list.real<float>("float", MPI_FLOAT);
  list.real<double>("double", MPI_DOUBLE);
  using Single = std::complex<float>;
  using Double = std::complex<double>;
  list.near("long double sum", MPI_LONG_DOUBLE, MPI_SUM, fill<long double, positive<long double>>,
            is_close<long double>);
  list.exact("long double minimum", MPI_LONG_DOUBLE, MPI_MIN, fill<long double, wild<long double>>);
  list.near("complex float sum", MPI_C_FLOAT_COMPLEX, MPI_SUM, fill_complex<Single>, is_close<Single>);
  list.near("complex float product", MPI_C_FLOAT_COMPLEX, MPI_PROD, fill_complex<Single>, is_close<Single>);
  list.near("complex double product", MPI_C_DOUBLE_COMPLEX, MPI_PROD, fill_complex<Double>, is_close<Double>);
}

void add_user_operations(List& list) {
  list.user<SumPlusOne>("user operation on uint32", Judge::native);
  list.user<Mean>("rounding user operation on double", Judge::expression);
  list.user<TaggedSum>("user operation on a struct", Judge::native);
  list.user<Strided>("user operation on a vector", Judge::native);
  list.user<Interleaved>("user operation on interleaved elements", Judge::native);
  // Open MPI 5's ring takes too little memory for it and corrupts the heap.
  list.user<Shifted>("user operation on a type with true lower bound 8", Judge::fold);
  list.user<Composition>("non-commutative operation on two uint64", Judge::native);
  // MPICH 5's reduce_scatter_block takes too little memory for elements that end in a gap, and corrupts the heap.
  list.user<Ahead>("non-commutative operation on a type with lower bound -8", Judge::fold);
  list.user<IntegerMatrix>("non-commutative operation on a vector", Judge::fold);
  list.user<RealMatrix>("rounding non-commutative operation on four doubles", Judge::expression);
}

}  // namespace

const std::vector<Operand>& operands() {
  static const std::vector<Operand> all = [] {
    List list;
    add_integers(list);
    add_pairs(list);
    add_real_and_complex(list);
    add_user_operations(list);
    return list.take();
  }();
  return all;
}

std::uint64_t wrong_datatypes() { return wrong_datatype_count; }

}  // namespace espalier::apps
