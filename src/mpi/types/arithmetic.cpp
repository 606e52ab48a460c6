// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/arithmetic.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

#include "transport/mpi/large_type.hpp"

namespace espalier {

int SelfCopy::operator()(void* to, MPI_Count to_count, MPI_Datatype to_type, const void* from, MPI_Count from_count,
                         MPI_Datatype from_type) const {
  const Countable target(*mpi, to_count, to_type);
  const Countable source(*mpi, from_count, from_type);
  if (target.status() != MPI_SUCCESS) return target.status();
  if (source.status() != MPI_SUCCESS) return source.status();
  return mpi->Sendrecv(from, source.count(), source.type(), world_rank, self_tag, to, target.count(), target.type(),
                       world_rank, self_tag, traffic, MPI_STATUS_IGNORE);
}

Elements NativeArithmetic::elements() const {
  Elements elements;
  elements.stride_bytes = setup_.layout.stride_bytes;
  elements.reduction = {
      [](void* target, const void* left, const void* right, std::size_t count, const void* arithmetic) {
        auto* self = const_cast<NativeArithmetic*>(static_cast<const NativeArithmetic*>(arithmetic));
        self->reduce(static_cast<std::byte*>(target), static_cast<const std::byte*>(left),
                     static_cast<const std::byte*>(right), count);
      },
      this};
  if (setup_.copies_whole) return elements;
  elements.copy = {[](void* target, const void* source, std::size_t count, const void* arithmetic) {
                     auto* self = const_cast<NativeArithmetic*>(static_cast<const NativeArithmetic*>(arithmetic));
                     self->copy(static_cast<std::byte*>(target), static_cast<const std::byte*>(source), count);
                   },
                   this};
  return elements;
}

// MPI only knows inout = in o inout: the result takes the place of the right operand.
void NativeArithmetic::reduce(std::byte* target, const std::byte* left, const std::byte* right, std::size_t elements) {
  if (target != left) {
    if (target != right) copy(target, right, elements);
    return reduce_into_right(left, target, elements);
  }
  std::byte* const result = temporary(elements);
  if (result == nullptr) return note(MPI_ERR_NO_MEM);
  copy(result, right, elements);
  reduce_into_right(left, result, elements);
  copy(target, result, elements);
}

// Staged elements lie at other distances than the datatype says, so they are handed over one by one.
void NativeArithmetic::reduce_into_right(const std::byte* left, std::byte* right, std::size_t elements) {
  const std::size_t most = setup_.layout.staged ? 1 : INT_MAX;
  for (std::size_t done = 0; done < elements;) {
    const std::size_t count = std::min(most, elements - done);
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(done * setup_.layout.stride_bytes) - setup_.wire.bias;
    note(setup_.self_copy.mpi->Reduce_local(left + offset, right + offset, static_cast<int>(count), setup_.type,
                                            setup_.op));
    done += count;
  }
}

void NativeArithmetic::copy(std::byte* target, const std::byte* source, std::size_t elements) {
  if (setup_.copies_whole) {
    std::memcpy(target, source, elements * setup_.layout.stride_bytes);
    return;
  }
  const Wire& wire = setup_.wire;
  const auto count = static_cast<MPI_Count>(elements);
  note(setup_.self_copy(target - wire.bias, count, wire.type, source - wire.bias, count, wire.type));
}

// Grows to the largest segment, which the first call shows. Null on allocation failure.
std::byte* NativeArithmetic::temporary(std::size_t elements) try {
  if (elements > temporary_elements_) {
    temporary_ = Scratch(elements * setup_.layout.stride_bytes);
    temporary_elements_ = elements;
  }
  return temporary_.data();
} catch (const std::bad_alloc&) {
  return nullptr;
}

}  // namespace espalier
