// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/prepared_exchange.hpp"

#include <algorithm>

namespace espalier {

namespace {

// Blocks of the application's that lie as they cannot be sent, packed, and what is kept for that.
class KeptBlocks final : public Staging {
 public:
  KeptBlocks(const Communicator& communicator, std::unique_ptr<NeighbourBlocks> blocks)
      : blocks_(std::move(blocks)),
        memory_(PackedBlocks::bytes_for(blocks_->sides(), {})),
        packed_(self_copy_of(communicator.peers()), blocks_->sides(), memory_.data(), {}) {}

  [[nodiscard]] int stage() override { return packed_.stage(); }
  [[nodiscard]] int deliver() override { return packed_.deliver(); }
  [[nodiscard]] Buffers buffers() const override { return packed_.buffers(); }

 private:
  const std::unique_ptr<NeighbourBlocks> blocks_;
  Scratch memory_;
  PackedBlocks packed_;
};

// The first byte that a side has.
std::int64_t first_byte(const UserBlocks& side) {
  std::int64_t first = 0;
  bool has_any = false;
  for (const UserBlock& block : side.blocks) {
    if (block.bytes() == 0) continue;
    first = has_any ? std::min(first, block.offset) : block.offset;
    has_any = true;
  }
  return first;
}

// Sizes and offsets in bytes: from the first byte on, or packed.
Partition::Given::Side side_of(const UserBlocks& blocks, const Held& held, bool is_packed) {
  Partition::Given::Side side{held, {}, {}};
  const std::int64_t first = first_byte(blocks);
  std::size_t next = 0;
  for (const UserBlock& block : blocks.blocks) {
    const std::size_t bytes = block.bytes();
    side.sizes.push_back(bytes);
    side.offsets.push_back(is_packed || bytes == 0 ? next : static_cast<std::size_t>(block.offset - first));
    next += bytes;
  }
  return side;
}

}  // namespace

Preparation prepare_exchange(const Communicator& communicator, MpiEndpoint& endpoint, const halo::Part& part,
                             std::unique_ptr<NeighbourBlocks> blocks) {
  const bool is_packed = !blocks->lie_well();
  const UserSides& sides = blocks->sides();
  Prepared::Setup setup{.key = {.problem = {}, .choice = {.transport = Transport::fabric}},
                        .shape = communicator.shape(),
                        .me = communicator.rank(),
                        .elements = {},
                        .arithmetic = nullptr,
                        .wire = {},
                        .is_of_bytes = true,
                        .partition = {}};
  setup.partition.emplace(Partition::Given{.input = side_of(sides.input, part.input(), is_packed),
                                           .output = side_of(sides.output, part.output(), is_packed)});
  Preparation ready;
  ready.fits_others = false;
  ready.only_for_this = std::make_unique<Prepared>(std::move(setup), halo::schedule_of(part), endpoint);
  ready.prepared = ready.only_for_this.get();
  ready.buffers = {sides.input.buffer + first_byte(sides.input), sides.output.buffer + first_byte(sides.output)};
  if (is_packed) ready.staging = std::make_unique<KeptBlocks>(communicator, std::move(blocks));
  return ready;
}

}  // namespace espalier
