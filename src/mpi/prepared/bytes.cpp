// SPDX-License-Identifier: Apache-2.0
// Calls without arithmetic: messages are bytes, and what the datatypes are is each rank's own business.
#include <algorithm>

#include "mpi/call/packed_blocks.hpp"
#include "mpi/prepared/preparation.hpp"

namespace espalier {

namespace {

UserSides sides_of(const OwnCall& own) {
  const Rank me = own.communicator.rank(), size = own.communicator.size();
  return {input_blocks(own.call, own.found, me, size), output_blocks(own.call, own.found, me, size)};
}

// The bytes from a buffer's address to the block that is first in memory, if that is before it.
std::int64_t lowest_offset(const UserBlocks& blocks) {
  std::int64_t lowest = 0;
  for (const UserBlock& block : blocks.blocks) lowest = std::min(lowest, block.offset);
  return lowest;
}

// Sizes and offsets in bytes: from the first block in memory on, or packed.
Partition::Given::Side side_of(const UserBlocks& blocks, const Held& held, bool is_packed) {
  Partition::Given::Side side{held, {}, {}};
  const std::int64_t lowest = lowest_offset(blocks);
  std::size_t next = 0;
  for (const UserBlock& block : blocks.blocks) {
    const std::size_t bytes = block.bytes();
    side.sizes.push_back(bytes);
    side.offsets.push_back(is_packed ? next : static_cast<std::size_t>(block.offset - lowest));
    next += bytes;
  }
  return side;
}

Partition::Given uneven_blocks(const OwnCall& own, const UserSides& sides, bool is_packed) {
  const Contract& contract = own.call.contract();
  const auto held = [&](BufferPart part, const UserBlocks& blocks) {
    if (blocks.blocks.empty()) return Held{};  // it has no such buffer
    return held_by(contract, part, own.communicator.rank(), own.communicator.size(), 1);
  };
  return {.input = side_of(sides.input, held(contract.input, sides.input), is_packed),
          .output = side_of(sides.output, held(contract.output, sides.output), is_packed),
          .segment = own.choice.cut.segment_bytes};
}

void find_or_prepare_bytes(const OwnCall& own, const PreparedKey& key, std::optional<Partition::Given> given,
                           Preparation& ready) {
  const auto make_setup = [&] {
    Prepared::Setup setup = basic_setup(own, key);
    setup.is_of_bytes = true;
    if (given) setup.partition.emplace(*std::move(given));
    return setup;
  };
  find_or_prepare(own, key, make_setup, ready);
}

Buffers direct_buffers(const OwnCall& own, const UserSides& sides) {
  if (!own.found.problem.is_uneven) {
    Buffers buffers = buffers_of(own.call, own.found.in_place);
    if (own.call.output == MPI_IN_PLACE) buffers.output = sides.output.buffer + sides.output.blocks.front().offset;
    return buffers;
  }
  std::byte* const output = sides.output.buffer + lowest_offset(sides.output);
  return {own.found.in_place ? output : sides.input.buffer + lowest_offset(sides.input), output};
}

}  // namespace

Preparation prepare_bytes(const OwnCall& own) {
  Preparation ready;
  PreparedKey key{.problem = own.found.problem, .in_place = own.found.in_place, .choice = own.choice};
  ready.is_repeatable = true;
  if (!own.call.contract().carries_data) {
    find_or_prepare_bytes(own, key, {}, ready);
    return ready;
  }
  UserSides sides = sides_of(own);
  const Job& job = own.communicator.job();
  const bool is_packed = own.found.shares_memory || own.found.received.arriving || !are_contiguous(job, sides.input) ||
                         !are_contiguous(job, sides.output);
  if (is_packed && own.call.contract().in_place != InPlace::always) key.in_place = false;
  std::optional<Partition::Given> given;
  if (key.problem.is_uneven) {
    given = uneven_blocks(own, sides, is_packed);
    add_to_key(*given, key);
  }
  find_or_prepare_bytes(own, key, std::move(given), ready);
  ready.is_repeatable = !is_packed;
  if (is_packed) {
    const PackedBlocks::Sharing sharing{.has_one_buffer = own.call.contract().in_place == InPlace::always,
                                        .output_stays = own.call.output == MPI_IN_PLACE};
    std::byte* const memory = own.staging.at_least(PackedBlocks::bytes_for(sides, sharing));
    ready.staging =
        std::make_unique<PackedBlocks>(self_copy_of(own.communicator.peers()), std::move(sides), memory, sharing);
  } else {
    ready.buffers = direct_buffers(own, sides);
  }
  return ready;
}

}  // namespace espalier
