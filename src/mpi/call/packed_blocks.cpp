// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/packed_blocks.hpp"

#include <algorithm>

#include "mpi/types/packing.hpp"

namespace espalier {

namespace {

// Blocks of no elements are of no datatype, and elements may have no bytes.
template <class Work>
int for_each(const UserBlocks& side, std::byte* packed, Work work) {
  for (const UserBlock& block : side.blocks) {
    const UserData data{side.buffer + block.offset, block.count, block.type};
    const int status = block.bytes() == 0 ? MPI_SUCCESS : work(data, block.facts, packed);
    if (status != MPI_SUCCESS) return status;
    packed += block.bytes();
  }
  return MPI_SUCCESS;
}

}  // namespace

bool are_contiguous(const Job& job, const UserBlocks& blocks) {
  const UserBlock* last = nullptr;  // most have one datatype for all
  return std::ranges::all_of(blocks.blocks, [&](const UserBlock& block) {
    if (block.bytes() == 0 || (last != nullptr && last->type == block.type)) return true;
    last = &block;
    return job.contiguity.is_contiguous(job.traffic, block.type, block.facts);
  });
}

PackedBlocks::PackedBlocks(const SelfCopy& self_copy, UserSides sides, std::byte* memory, const Sharing& sharing)
    : self_copy_(self_copy),
      sides_(std::move(sides)),
      sharing_(sharing),
      input_bytes_(sides_.input.bytes()),
      memory_(memory) {}

int PackedBlocks::stage() {
  return for_each(sides_.input, memory_, [&](const UserData& data, const TypeFacts& facts, std::byte* packed) {
    return pack(self_copy_, data, facts, packed);
  });
}

int PackedBlocks::deliver() {
  const bool has_all = sharing_.output_stays || (sharing_.has_one_buffer && !sides_.input.blocks.empty());
  if (has_all) return MPI_SUCCESS;
  return for_each(sides_.output, output(), [&](const UserData& data, const TypeFacts& facts, std::byte* packed) {
    return unpack(self_copy_, data, facts, packed);
  });
}

}  // namespace espalier
