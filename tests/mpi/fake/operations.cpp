// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

template <class T, class Work>
void for_each_pair(const void* left, void* right, int count, Work work) {
  const auto* const a = static_cast<const T*>(left);
  auto* const b = static_cast<T*>(right);
  for (int k = 0; k < count; ++k) b[k] = work(a[k], b[k]);
}

template <class T>
void combine_numbers(MPI_Op op, const void* left, void* right, int count) {
  switch (op) {
    case MPI_SUM: return for_each_pair<T>(left, right, count, [](T a, T b) { return static_cast<T>(a + b); });
    case MPI_MIN: return for_each_pair<T>(left, right, count, [](T a, T b) { return std::min(a, b); });
    case MPI_MAX: return for_each_pair<T>(left, right, count, [](T a, T b) { return std::max(a, b); });
    default: fail("this operation is not known");
  }
}

void combine_predefined(MPI_Op op, MPI_Datatype type, const void* left, void* right, int count) {
  using Word = std::uint64_t;
  if (type == MPI_UINT64_T && op == MPI_BAND) {
    return for_each_pair<Word>(left, right, count, [](Word a, Word b) { return a & b; });
  }
  if (type == MPI_BYTE && op == MPI_BOR) {
    return for_each_pair<std::byte>(left, right, count, [](std::byte a, std::byte b) { return a | b; });
  }
  switch (type) {
    case MPI_INT: return combine_numbers<int>(op, left, right, count);
    case MPI_UINT64_T: return combine_numbers<Word>(op, left, right, count);
    case MPI_DOUBLE: return combine_numbers<double>(op, left, right, count);
    default: fail("no operation is known on this datatype");
  }
}

int reduce_local(const void* left, void* right, int count, MPI_Datatype type, MPI_Op op) {
  combine(op, type, left, right, count);
  return MPI_SUCCESS;
}

int commutes(MPI_Op op, int* answer) {
  *answer = state().operations.at(op).commutes ? 1 : 0;
  return MPI_SUCCESS;
}

}  // namespace

void combine(MPI_Op op, MPI_Datatype type, const void* left, void* right, int count) {
  const Operation* const user = state().operations.find(op);
  if (user == nullptr) return combine_predefined(op, type, left, right, count);
  user->function(const_cast<void*>(left), right, &count, &type);
}

MPI_Op make_operation(MPI_User_function* function, bool is_commutative) {
  return state().operations.add({function, is_commutative});
}

void add_operations(Native& table) {
  table.Reduce_local = reduce_local;
  table.Op_commutative = commutes;
}

}  // namespace espalier::fake
