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

// MPI_Pack cannot: elements of more bytes than its int holds, and, in some MPIs, data at absolute addresses.
bool needs_a_message(const UserData& data, const TypeFacts& facts) {
  return facts.size > max_packed_bytes || data.buffer == MPI_BOTTOM;
}

}  // namespace

int pack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed) {
  if (needs_a_message(data, facts)) {
    return self_copy(packed, data.count * facts.size, MPI_PACKED, data.buffer, data.count, data.type);
  }
  return in_parts(data, facts, packed, [&](std::byte* elements, int count, std::byte* target) {
    const auto bytes = static_cast<int>(count * facts.size);
    int position = 0;
    return self_copy.mpi->Pack(elements, count, data.type, target, bytes, &position, self_copy.traffic);
  });
}

int unpack(const SelfCopy& self_copy, const UserData& data, const TypeFacts& facts, std::byte* packed) {
  if (needs_a_message(data, facts)) {
    return self_copy(data.buffer, data.count, data.type, packed, data.count * facts.size, MPI_PACKED);
  }
  return in_parts(data, facts, packed, [&](std::byte* elements, int count, std::byte* source) {
    const auto bytes = static_cast<int>(count * facts.size);
    int position = 0;
    return self_copy.mpi->Unpack(source, bytes, &position, elements, count, data.type, self_copy.traffic);
  });
}

}  // namespace espalier
