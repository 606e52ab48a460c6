// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/user_blocks.hpp"

namespace espalier {

namespace {

template <class Large>
std::int64_t number_at(const Call& call, const void* numbers, int place) {
  return call.function->is_large ? static_cast<std::int64_t>(static_cast<const Large*>(numbers)[place])
                                 : static_cast<const int*>(numbers)[place];
}

// What a call says of a buffer.
struct BufferSide {
  const CallBlocks& described;
  const ClassifiedType& type;
};
BufferSide sent(const Call& call, const Classified& found) { return {call.sent, found.sent}; }
BufferSide received(const Call& call, const Classified& found) {
  return call.names_data_twice() ? BufferSide{call.received, found.received} : sent(call, found);
}

UserBlock block_at(const BufferSide& side, int place, std::int64_t offset, MPI_Count count) {
  if (side.described.types == nullptr) return {offset, count, side.described.type, side.type.facts};
  return {offset, count, side.described.types[place], side.type.facts_of_each[static_cast<std::size_t>(place)]};
}

// Of a buffer that has blocks for all ranks: one after the other, unless it is said where they lie.
std::vector<UserBlock> blocks_for_all(const Call& call, const BufferSide& side, int count) {
  std::vector<UserBlock> blocks;
  const CallBlocks& described = side.described;
  const std::int64_t unit = described.types != nullptr ? 1 : side.type.facts.extent;  // of displacements, in bytes
  std::int64_t next = 0;
  for (int place = 0; place < count; ++place) {
    const MPI_Count elements = count_at(call, described, place);
    const std::int64_t first = described.displacements == nullptr ? next : displacement_at(call, described, place);
    blocks.push_back(block_at(side, place, first * unit, side.type.arriving.value_or(elements)));
    next += elements;
  }
  return blocks;
}

UserBlocks no_blocks(const void* buffer) { return {const_cast<std::byte*>(static_cast<const std::byte*>(buffer)), {}}; }

// The rank's own block, which is all that there is; or, in a buffer with blocks for all, one of them.
UserBlock own_block(const Call& call, const BufferSide& side, Rank me) {
  return block_at(side, me, 0, count_at(call, side.described, me));
}

}  // namespace

MPI_Count count_at(const Call& call, const CallBlocks& described, int place) {
  return described.counts == nullptr ? described.count : number_at<MPI_Count>(call, described.counts, place);
}

MPI_Aint displacement_at(const Call& call, const CallBlocks& described, int place) {
  return number_at<MPI_Aint>(call, described.displacements, place);
}

std::size_t UserBlocks::bytes() const {
  std::size_t all = 0;
  for (const UserBlock& block : blocks) all += block.bytes();
  return all;
}

UserBlocks input_blocks(const Call& call, const Classified& found, Rank me, Rank size) {
  const Contract& contract = call.contract();
  const auto blocks_in = [&](BufferPart part) { return held_by(contract, part, me, size, 1).count; };
  const bool in_place = found.in_place;
  const BufferSide side = in_place ? received(call, found) : sent(call, found);
  UserBlocks all = no_blocks(in_place ? call.output : call.input);
  if (!contract.has_input(me, call.root)) return all;
  const bool lies_as_output = in_place && contract.in_place == InPlace::same_place;
  if (contract.input != BufferPart::own) {
    all.blocks = blocks_for_all(call, side, blocks_in(contract.input));
  } else if (lies_as_output && contract.output != BufferPart::own) {
    const auto theirs = blocks_for_all(call, side, blocks_in(contract.output));
    all.blocks = {theirs[static_cast<std::size_t>(me)]};
  } else {
    all.blocks = {own_block(call, side, me)};
  }
  return all;
}

UserBlocks output_blocks(const Call& call, const Classified& found, Rank me, Rank size) {
  const Contract& contract = call.contract();
  const bool stays = call.output == MPI_IN_PLACE;
  const BufferSide side = stays ? sent(call, found) : received(call, found);
  UserBlocks all = no_blocks(stays ? call.input : call.output);
  if (!contract.has_output(me, call.root)) return all;
  const BufferPart part = stays ? contract.input : contract.output;
  if (part == BufferPart::own) {
    all.blocks = {own_block(call, side, me)};
    return all;
  }
  all.blocks = blocks_for_all(call, side, held_by(contract, part, me, size, 1).count);
  if (stays) all.blocks = {all.blocks[static_cast<std::size_t>(me)]};
  return all;
}

}  // namespace espalier
