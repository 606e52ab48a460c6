// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/packing.hpp"

#include <algorithm>

#include "mpi/types/relative_type.hpp"

namespace espalier {

namespace {

// MPI_Pack speaks of bytes in an int.
constexpr MPI_Count max_packed_bytes = MPI_Count{1} << 30;

// Calls work(address of the elements, number of elements, address of their packed bytes) for as many elements at a time
// as the MPI can pack.
template <class Work>
int in_parts(const UserData& data, const TypeFacts& facts, std::byte* packed, Work work) {
  const MPI_Count max_count = max_packed_bytes / facts.size;
  for (MPI_Count done = 0; done < data.count;) {
    const MPI_Count count = std::min(max_count, data.count - done);
    auto* elements = static_cast<std::byte*>(data.buffer) + done * facts.extent;
    if (const int status = work(elements, static_cast<int>(count), packed + done * facts.size)) return status;
    done += count;
  }
  return MPI_SUCCESS;
}

// Elements of more bytes than MPI_Pack's int holds.
bool needs_a_message(const TypeFacts& facts) { return facts.size > max_packed_bytes; }

// Calls work(address, datatype) for elements that begin there. Some MPIs pack nothing at absolute addresses, and a
// message to oneself does not avoid that: MPICH cuts its bytes anywhere, and fails where that is inside of a pair like
// MPI_DOUBLE_INT. So such elements get a buffer.
template <class Work>
int in_a_buffer(const Native& mpi, std::byte* elements, const UserData& data, const TypeFacts& facts, Work work) {
  if (data.buffer != MPI_BOTTOM) return work(elements, data.type);
  MPI_Datatype relative = MPI_DATATYPE_NULL;
  int status = make_relative(mpi, data.type, facts, relative);
  if (status == MPI_SUCCESS) status = work(elements + facts.true_lower_bound, relative);
  if (relative != MPI_DATATYPE_NULL) mpi.Type_free(&relative);
  return status;
}

}  // namespace

int pack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed) {
  if (needs_a_message(facts)) {
    return self_copy(packed, data.count * facts.size, MPI_PACKED, data.buffer, data.count, data.type);
  }
  const Native& mpi = *self_copy.mpi;
  return in_parts(data, facts, packed, [&](std::byte* elements, int count, std::byte* target) {
    const auto bytes = static_cast<int>(count * facts.size);
    return in_a_buffer(mpi, elements, data, facts, [&](const void* from, MPI_Datatype type) {
      int position = 0;
      return mpi.Pack(from, count, type, target, bytes, &position, self_copy.traffic);
    });
  });
}

int unpack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed) {
  if (needs_a_message(facts)) {
    return self_copy(data.buffer, data.count, data.type, packed, data.count * facts.size, MPI_PACKED);
  }
  const Native& mpi = *self_copy.mpi;
  return in_parts(data, facts, packed, [&](std::byte* elements, int count, std::byte* source) {
    const auto bytes = static_cast<int>(count * facts.size);
    return in_a_buffer(mpi, elements, data, facts, [&](void* to, MPI_Datatype type) {
      int position = 0;
      return mpi.Unpack(source, bytes, &position, to, count, type, self_copy.traffic);
    });
  });
}

}  // namespace espalier
