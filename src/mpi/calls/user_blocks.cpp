// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/user_blocks.hpp"

namespace espalier {

namespace {

template <class Large>
std::int64_t number_at(const Call& call, const void* numbers, int place) {
  return call.function->is_large ? static_cast<std::int64_t>(static_cast<const Large*>(numbers)[place])
                                 : static_cast<const int*>(numbers)[place];
}

// One for all blocks, or that of a place.
MPI_Count count_at(const Call& call, const CallBlocks& said, int place) {
  return said.counts == nullptr ? said.count : number_at<MPI_Count>(call, said.counts, place);
}

UserBlock block_at(const Call& call, const CallBlocks& said, int place, const TypeFacts& facts) {
  const MPI_Count count = count_at(call, said, place);
  const std::int64_t elements =
      said.displacements == nullptr ? place * count : number_at<MPI_Aint>(call, said.displacements, place);
  return {elements * facts.extent, count};
}

struct Side {
  const CallBlocks& said;
  const ClassifiedType& type;
};
Side sent(const Call& call, const Classified& found) { return {call.sent, found.sent}; }
Side received(const Call& call, const Classified& found) {
  return call.names_data_twice() ? Side{call.received, found.received} : sent(call, found);
}

UserBlocks no_blocks(const Side& side, const void* buffer) {
  return {const_cast<std::byte*>(static_cast<const std::byte*>(buffer)), side.said.type, side.type.facts, {}};
}

}  // namespace

std::size_t UserBlocks::bytes() const {
  std::size_t all = 0;
  for (const UserBlock& block : blocks) all += bytes_of(block);
  return all;
}

UserBlocks input_blocks(const Call& call, const Classified& found, Rank me, Rank size) {
  const Contract& contract = call.contract();
  const bool in_place = found.problem.in_place;
  const Side side = in_place ? received(call, found) : sent(call, found);
  UserBlocks all = no_blocks(side, in_place ? call.output : call.input);
  if (!contract.has_input(me, call.root)) return all;
  const Held held = held_by(contract, contract.input, me, size, 1);
  const Held output = held_by(contract, contract.output, me, size, 1);
  const bool lies_as_output = in_place && contract.in_place == InPlace::same_place;
  for (int place = 0; place < held.count; ++place) {
    const int there = lies_as_output ? output.place_of(held.label_at(place)) : place;
    all.blocks.push_back(block_at(call, side.said, there, side.type.facts));
  }
  return all;
}

UserBlocks output_blocks(const Call& call, const Classified& found, Rank me, Rank size) {
  const Contract& contract = call.contract();
  const Side side = received(call, found);
  UserBlocks all = no_blocks(side, call.output);
  if (!contract.has_output(me, call.root)) return all;
  const Held held = held_by(contract, contract.output, me, size, 1);
  for (int place = 0; place < held.count; ++place) {
    all.blocks.push_back(block_at(call, side.said, place, side.type.facts));
  }
  return all;
}

}  // namespace espalier
