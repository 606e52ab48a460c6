// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

// Calls work(address, bytes) for each piece of memory, in the order of the signature.
template <class Work>
void for_each_piece(std::byte* buffer, int count, const Type& type, Work work) {
  for (int k = 0; k < count; ++k) {
    for (const Piece& piece : type.pieces) work(buffer + k * type.extent + piece.offset, piece.bytes);
  }
}

int pack(const void* buffer, int count, MPI_Datatype type, void* to, int, int* position, MPI_Comm) {
  const Bytes bytes = packed(buffer, count, *find_type(type));
  std::memcpy(static_cast<std::byte*>(to) + *position, bytes.data(), bytes.size());
  *position += static_cast<int>(bytes.size());
  return MPI_SUCCESS;
}

int unpack_to(const void* from, int size, int* position, void* buffer, int count, MPI_Datatype type, MPI_Comm comm) {
  const auto* const first = static_cast<const std::byte*>(from);
  if (!unpack({first + *position, first + size}, buffer, count, *find_type(type))) return raise(comm, MPI_ERR_TRUNCATE);
  *position = size;
  return MPI_SUCCESS;
}

}  // namespace

Bytes packed(const void* buffer, int count, const Type& type) {
  Bytes bytes;
  auto* const from = const_cast<std::byte*>(static_cast<const std::byte*>(buffer));
  for_each_piece(from, count, type,
                 [&](const std::byte* piece, MPI_Count size) { bytes.insert(bytes.end(), piece, piece + size); });
  return bytes;
}

bool unpack(const Bytes& bytes, void* buffer, int count, const Type& type) {
  std::size_t done = 0;
  for_each_piece(static_cast<std::byte*>(buffer), count, type, [&](std::byte* piece, MPI_Count size) {
    const std::size_t part = std::min(static_cast<std::size_t>(size), bytes.size() - done);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(done), part, piece);
    done += part;
  });
  return done == bytes.size();
}

void add_packing(Native& table) {
  table.Pack = pack;
  table.Unpack = unpack_to;
}

}  // namespace espalier::fake
