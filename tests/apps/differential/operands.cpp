// SPDX-License-Identifier: Apache-2.0
#include "differential/operands.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "differential/user_operations.hpp"
#include "differential/values.hpp"

namespace espalier::apps {

namespace {

std::atomic<std::uint64_t> wrong_datatype_count{0};

template <class T, T (*value)(std::uint64_t)>
void fill(std::byte* element, std::uint64_t random) {
  store(element, value(random));
}

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

class List {
 public:
  explicit List(std::string type_name = "", MPI_Datatype type = MPI_DATATYPE_NULL)
      : type_name_(std::move(type_name)), type_(type) {}

  List& with(const char* op_name, MPI_Op op, Operand::Fill fill_one, Operand::Combine combine_one = nullptr) {
    operands_.push_back({.type_name = type_name_,
                         .op_name = op_name,
                         .type = type_,
                         .op = op,
                         .fill = fill_one,
                         .combine = combine_one});
    return *this;
  }

  template <class Operation>
  void user(const char* type_name, const char* op_name, bool rounds = false) {
    using Operated = UserOperation<Operation>;
    Operated::type = Operation::make_type();
    MPI_Type_commit(&Operated::type);
    MPI_Aint lower_bound;
    MPI_Type_get_extent(Operated::type, &lower_bound, &Operated::extent);
    MPI_Op op;
    MPI_Op_create(Operated::run, Operation::commutes, &op);
    operands_.push_back({.type_name = type_name,
                         .op_name = op_name,
                         .type = Operated::type,
                         .op = op,
                         .is_predefined = false,
                         .commutes = Operation::commutes,
                         .fill = Operation::fill,
                         .combine = rounds ? Operation::combine : nullptr});
  }

  void add(const List& other) { operands_.insert(operands_.end(), other.operands_.begin(), other.operands_.end()); }
  [[nodiscard]] std::vector<Operand> take() { return std::move(operands_); }

 private:
  std::string type_name_;
  MPI_Datatype type_;
  std::vector<Operand> operands_;
};

template <class T>
List multi_language(const char* name, MPI_Datatype type) {
  constexpr Operand::Fill any = fill<T, any_integer<T>>, not_negative = fill<T, counting_number<T>>;
  return List(name, type)
      .with("MPI_SUM", MPI_SUM, fill<T, summand<T>>)
      .with("MPI_PROD", MPI_PROD, fill<T, factor<T>>)
      .with("MPI_MAX", MPI_MAX, type == MPI_OFFSET ? not_negative : any)
      .with("MPI_MIN", MPI_MIN, type == MPI_OFFSET ? not_negative : any)
      .with("MPI_BAND", MPI_BAND, fill<T, any_integer<T>>)
      .with("MPI_BOR", MPI_BOR, fill<T, any_integer<T>>)
      .with("MPI_BXOR", MPI_BXOR, fill<T, any_integer<T>>);
}

template <class T>
List integer(const char* name, MPI_Datatype type) {
  return multi_language<T>(name, type)
      .with("MPI_LAND", MPI_LAND, fill<T, summand<T>>)
      .with("MPI_LOR", MPI_LOR, fill<T, mostly_zero<T>>)
      .with("MPI_LXOR", MPI_LXOR, fill<T, mostly_zero<T>>);
}

template <class T>
List floating(const char* name, MPI_Datatype type) {
  List list(name, type);
  list.with("MPI_SUM", MPI_SUM, fill<T, summand<T>>)
      .with("MPI_PROD", MPI_PROD, fill<T, factor<T>>)
      .with("MPI_MAX", MPI_MAX, fill<T, wild<T>>)
      .with("MPI_MIN", MPI_MIN, fill<T, wild<T>>);
  if constexpr (sizeof(T) <= sizeof(double)) {
    list.with("rounding_MPI_SUM", MPI_SUM, fill<T, wild<T>>, combine<T, sum<T>>)
        .with("rounding_MPI_PROD", MPI_PROD, fill<T, positive<T>>, combine<T, product<T>>)
        .with("awkward_MPI_MAX", MPI_MAX, fill<T, awkward<T>>, combine<T, maximum<T>>)
        .with("awkward_MPI_MIN", MPI_MIN, fill<T, awkward<T>>, combine<T, minimum<T>>);
  }
  return list;
}

template <class T>
List complex(const char* name, MPI_Datatype type) {
  return List(name, type)
      .with("MPI_SUM", MPI_SUM, fill<T, complex_summand<T>>)
      .with("MPI_PROD", MPI_PROD, fill<T, complex_factor<T>>);
}

List logical(const char* name, MPI_Datatype type) {
  return List(name, type)
      .with("MPI_LAND", MPI_LAND, fill<bool, truth>)
      .with("MPI_LOR", MPI_LOR, fill<bool, truth>)
      .with("MPI_LXOR", MPI_LXOR, fill<bool, truth>);
}

List bytes(const char* name, MPI_Datatype type) {
  using T = std::uint8_t;
  return List(name, type)
      .with("MPI_BAND", MPI_BAND, fill<T, any_integer<T>>)
      .with("MPI_BOR", MPI_BOR, fill<T, any_integer<T>>)
      .with("MPI_BXOR", MPI_BXOR, fill<T, any_integer<T>>);
}

template <class T>
List located(const char* name, MPI_Datatype type) {
  return List(name, type)
      .with("MPI_MINLOC", MPI_MINLOC, fill_located<T>)
      .with("MPI_MAXLOC", MPI_MAXLOC, fill_located<T>);
}

void add_predefined(List& list) {
#define INTEGER(Type, T) list.add(integer<T>(#Type, Type));
#define MULTI_LANGUAGE(Type, T) list.add(multi_language<T>(#Type, Type));
#define FLOATING(Type, T) list.add(floating<T>(#Type, Type));
#define COMPLEX(Type, T) list.add(complex<T>(#Type, Type));
#define LOGICAL(Type, T) list.add(logical(#Type, Type));
#define BYTE(Type, T) list.add(bytes(#Type, Type));
#define LOCATED(Type, T) list.add(located<T>(#Type, Type));
#define CHARACTER(Type, T)
#include "differential/predefined.def"
}

void add_user_operations(List& list) {
  list.user<SumPlusOne>("MPI_UINT32_T", "sum_plus_one");
  list.user<Mean>("MPI_DOUBLE", "mean", true);
  list.user<TaggedSum>("tagged", "tagged_sum");
  list.user<Strided>("strided", "strided_sum");
  list.user<Interleaved>("interleaved", "interleaved_sum");
  list.user<Shifted>("shifted", "shifted_xor");
  list.user<Composition>("map", "composition");
  list.user<Ahead>("ahead", "last");
  list.user<IntegerMatrix>("gapped_matrix", "matrix_product");
  list.user<RealMatrix>("real_matrix", "matrix_product", true);
}

}  // namespace

std::span<const Operand> operands() {
  static const std::vector<Operand> all = [] {
    List list;
    add_predefined(list);
    add_user_operations(list);
    return list.take();
  }();
  return all;
}

const Operand& operand_named(const std::string& type, const std::string& op) {
  const auto found =
      std::ranges::find_if(operands(), [&](const Operand& one) { return one.type_name == type && one.op_name == op; });
  if (found == operands().end()) throw std::invalid_argument("no such operation: type=" + type + " op=" + op);
  return *found;
}

std::uint64_t wrong_datatypes() { return wrong_datatype_count; }

}  // namespace espalier::apps
