// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/packing.hpp"

#include <algorithm>

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

// Calls work(address, number, datatype) for these elements. Some MPIs pack nothing at absolute addresses, and a message
// to oneself is no way around: MPICH cuts its bytes anywhere, and fails where that is inside of a pair like
// MPI_DOUBLE_INT. So such elements are seen from an address of ours.
template <class Work>
int seen_from_somewhere(const Native& mpi, std::byte* elements, int count, const UserData& data, Work work) {
  if (data.buffer != MPI_BOTTOM) return work(elements, count, data.type);
  std::byte somewhere{};
  const MPI_Aint place = reinterpret_cast<MPI_Aint>(elements) - reinterpret_cast<MPI_Aint>(&somewhere);
  MPI_Datatype all = MPI_DATATYPE_NULL;
  if (const int status = mpi.Type_create_hindexed(1, &count, &place, data.type, &all)) return status;
  int status = mpi.Type_commit(&all);
  if (status == MPI_SUCCESS) status = work(&somewhere, 1, all);
  mpi.Type_free(&all);
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
    return seen_from_somewhere(mpi, elements, count, data, [&](const void* from, int number, MPI_Datatype type) {
      int position = 0;
      return mpi.Pack(from, number, type, target, bytes, &position, self_copy.traffic);
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
    return seen_from_somewhere(mpi, elements, count, data, [&](void* to, int number, MPI_Datatype type) {
      int position = 0;
      return mpi.Unpack(source, bytes, &position, to, number, type, self_copy.traffic);
    });
  });
}

}  // namespace espalier
