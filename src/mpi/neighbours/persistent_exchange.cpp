// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/persistent_exchange.hpp"

#include <algorithm>

#include "halo/part.hpp"
#include "mpi/neighbours/exchange_plan.hpp"
#include "mpi/requests/persistent.hpp"
#include "mpi/requests/persistent_run.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

constexpr char no_lanes[] = "there are no NICs of ours";
constexpr char no_neighbours[] = "a communicator without a topology";

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

class ExchangeCall {
 public:
  ExchangeCall(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  [[nodiscard]] int init() {
    return do_reported(call_, ran_as_, [&] { return init_somehow(); });
  }

 private:
  // All ranks go the same way.
  [[nodiscard]] int init_somehow() {
    if (!requests().are_possible) return init_natively(no_requests);
    if (job_.fabric == nullptr) return init_natively(no_lanes);
    int status = find_neighbourhood(job_.mpi, communicator_.handle(), neighbourhood_);
    if (status != MPI_SUCCESS) return status;
    if (neighbourhood_.kind == MPI_UNDEFINED) return init_natively(no_neighbours);
    status = find_tags(communicator_, tags_);
    if (status != MPI_SUCCESS) return status;
    if (tags_ == nullptr) return init_natively(communicator_.unusual() != nullptr ? communicator_.unusual() : no_tags);
    number_ = tags_->take();
    return init_agreed();
  }

  [[nodiscard]] int init_agreed() {
    ExchangePlan plan;
    int agreed = MPI_SUCCESS;
    (void)guarded(call_, [&] { blocks_ = std::make_unique<NeighbourBlocks>(job_, call_, neighbourhood_); });
    int status = guarded(call_, [&] {
      agreed = agree_on_exchange(communicator_, requests().to_self, call_, neighbourhood_, blocks_.get(), plan);
    });
    if (status != MPI_SUCCESS) return raise(call_, status);
    if (agreed != MPI_SUCCESS) return agreed;
    if (!plan.is_ours) return init_natively(plan.reason);
    std::shared_ptr<PersistentRun> run;
    status = plan.fits_neighbours ? guarded(call_, [&] { run = make_run(plan); }) : MPI_ERR_TRUNCATE;
    bool is_ready_everywhere = false;
    agreed = agree(communicator_, status == MPI_SUCCESS, is_ready_everywhere);
    if (agreed != MPI_SUCCESS) return agreed;
    if (!is_ready_everywhere) return init_natively(not_ready);
    ran_as_ = {.algorithm = plan.packer, .reason = plan.reason};
    status = run->make_handle(*call_.request);
    return status == MPI_SUCCESS ? status : raise(call_, status);
  }

  static constexpr char not_ready[] = "not ready on all ranks";

  [[nodiscard]] int init_natively(const char* reason) {
    ran_as_ = {.algorithm = std::string(native_name), .reason = reason};
    return call_.function->native(job_.mpi, call_);
  }

  [[nodiscard]] std::shared_ptr<PersistentRun> make_run(const ExchangePlan& plan) {
    const halo::Part part = part_of(plan);
    const bool is_packed = !blocks_->lie_well();
    const UserSides& sides = blocks_->sides();
    Prepared::Setup setup{.key = {.problem = {}, .choice = {.transport = Transport::fabric}},
                          .shape = communicator_.shape(),
                          .me = communicator_.rank(),
                          .elements = {},
                          .arithmetic = nullptr,
                          .wire = {},
                          .is_of_bytes = true,
                          .partition = {}};
    setup.partition.emplace(Partition::Given{.input = side_of(sides.input, part.input(), is_packed),
                                             .output = side_of(sides.output, part.output(), is_packed)});
    Preparation ready;
    ready.fits_others = false;
    ready.only_for_this = std::make_unique<Prepared>(std::move(setup), halo::schedule_of(part), tags_->endpoint());
    ready.prepared = ready.only_for_this.get();
    ready.buffers = {sides.input.buffer + first_byte(sides.input), sides.output.buffer + first_byte(sides.output)};
    if (is_packed) ready.staging = std::make_unique<KeptBlocks>(communicator_, std::move(blocks_));
    auto run = std::make_shared<PersistentRun>(communicator_, tags_, number_);
    run->use(call_, std::move(ready));
    return run;
  }

  // Blocks of no bytes are no messages: both ends know that.
  [[nodiscard]] halo::Part part_of(const ExchangePlan& plan) const {
    const UserSides& sides = blocks_->sides();
    halo::Part part{.inputs = static_cast<int>(sides.input.blocks.size()),
                    .outputs = static_cast<int>(sides.output.blocks.size())};
    for (int place = 0; place < part.outputs; ++place) {
      const auto k = static_cast<std::size_t>(place);
      const Rank peer = neighbourhood_.from[k];
      if (sides.output.blocks[k].bytes() == 0 || peer == communicator_.rank()) continue;
      part.received.push_back({.peer = peer, .block = place, .channel = channel(plan.turns_from[k])});
    }
    for (const int place : plan.order) {
      const auto k = static_cast<std::size_t>(place);
      const Rank peer = neighbourhood_.to[k];
      if (sides.input.blocks[k].bytes() == 0) continue;
      if (peer == communicator_.rank()) {
        part.copies.push_back({.from = place, .to = own_place(plan, plan.turns_to[k])});
      } else {
        part.sent.push_back(
            {.peer = peer, .block = place, .channel = channel(plan.turns_to[k]), .path = plan.paths[k]});
      }
    }
    return part;
  }

  [[nodiscard]] static Channel channel(int turn) { return static_cast<Channel>(turn); }
  // Where what this rank gives itself comes to lie.
  [[nodiscard]] int own_place(const ExchangePlan& plan, int turn) const {
    std::size_t k = 0;
    while (neighbourhood_.from[k] != communicator_.rank() || plan.turns_from[k] != turn) ++k;
    return static_cast<int>(k);
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  Neighbourhood neighbourhood_;
  std::unique_ptr<NeighbourBlocks> blocks_;
  std::shared_ptr<PersistentTags> tags_;
  std::uint64_t number_ = 0;
  RanAs ran_as_;
};

}  // namespace

int init_persistent_exchange(const Call& call, const void* caller) {
  return with_communicator(call, caller,
                           [&](PreparedCommunicator& communicator) { return ExchangeCall(call, communicator).init(); });
}

}  // namespace espalier
