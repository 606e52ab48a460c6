// SPDX-License-Identifier: Apache-2.0
#include "mpi/staging.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr std::size_t max_kept_bytes = std::size_t{1} << 20;

// MPI_Pack speaks of bytes in an int.
constexpr MPI_Count max_packed_bytes = MPI_Count{1} << 30;

// Calls work(address of the elements, number of elements, address of their packed bytes) for as many elements at a time
// as the MPI can pack.
template <class Work>
int in_parts(const UserData& data, const TypeFacts& facts, std::byte* packed, Work work) {
  const MPI_Count most = max_packed_bytes / facts.size;
  for (MPI_Count done = 0; done < data.count;) {
    const MPI_Count count = std::min(most, data.count - done);
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

std::byte* StagingMemory::at_least(std::size_t bytes) {
  if (bytes > bytes_) {
    memory_ = Scratch(bytes);
    bytes_ = bytes;
  }
  return memory_.data();
}

void StagingMemory::release_if_large() {
  if (bytes_ <= max_kept_bytes) return;
  memory_ = Scratch(0);
  bytes_ = 0;
}

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
