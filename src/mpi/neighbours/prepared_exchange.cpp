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

std::unique_ptr<Staging> staging_of(const OwnExchange& own, std::unique_ptr<NeighbourBlocks> blocks) {
  if (own.behind_request != nullptr) return std::make_unique<KeptBlocks>(own.communicator, std::move(blocks));
  std::byte* const memory = own.communicator.staging.at_least(PackedBlocks::bytes_for(blocks->sides(), {}));
  return std::make_unique<PackedBlocks>(self_copy_of(own.communicator.peers()), blocks->sides(), memory,
                                        PackedBlocks::Sharing{});
}

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
Partition::Given::Side side_of_exchange(const UserBlocks& blocks, const Held& held, bool is_packed) {
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

bool uses_nics(const halo::Part& part) {
  const auto is_of_nics = [](const halo::Edge& edge) { return edge.path != over_mpi; };
  return std::ranges::any_of(part.sent, is_of_nics) || std::ranges::any_of(part.received, is_of_nics);
}

// A rank none of whose messages goes by NICs of ours leaves them alone.
Prepared::Setup setup_of(const OwnExchange& own, const PreparedKey& key, const Partition::Given& given) {
  own.communicator.find_place();
  Shape shape = own.communicator.shape();
  shape.transports = Transports::either;  // as the choice says
  Prepared::Setup setup{.key = key,
                        .shape = shape,
                        .me = own.communicator.rank(),
                        .elements = {},
                        .arithmetic = nullptr,
                        .wire = {},
                        .is_of_bytes = true,
                        .partition = {}};
  setup.partition.emplace(given);
  return setup;
}

}  // namespace

Preparation prepare_exchange(const OwnExchange& own, std::unique_ptr<NeighbourBlocks> blocks) {
  const UserSides& sides = blocks->sides();
  const halo::Part& part = own.part;
  const bool use_nics = uses_nics(part), is_packed = !blocks->lie_well(use_nics);
  const Partition::Given given{.input = side_of_exchange(sides.input, part.input(), is_packed),
                               .output = side_of_exchange(sides.output, part.output(), is_packed),
                               .passing = {part.passing(), part.passing_bytes, {}}};
  // Without an algorithm, so that it is no other collective's.
  PreparedKey key{.problem = {}, .choice = {.transport = use_nics ? Transport::fabric : Transport::mpi}};
  key.blocks.push_back(static_cast<std::size_t>(own.form));
  add_to_key(given, key);
  const auto make = [&](MpiEndpoint& endpoint) {
    return std::make_unique<Prepared>(setup_of(own, key, given), halo::schedule_of(part), endpoint);
  };
  Preparation ready;
  find_or_make(own.communicator, own.behind_request, key, make, ready);
  ready.buffers = {sides.input.buffer + first_byte(sides.input), sides.output.buffer + first_byte(sides.output)};
  ready.is_repeatable = !is_packed && blocks->are_by_handles();
  if (is_packed) ready.staging = staging_of(own, std::move(blocks));
  return ready;
}

}  // namespace espalier
