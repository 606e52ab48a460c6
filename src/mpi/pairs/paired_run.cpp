// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/paired_run.hpp"

#include <climits>

#include "mpi/calls/errors.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"

namespace espalier {

namespace {

const UserBlock& only_block(const NeighbourBlocks& blocks, PairSide side) {
  return (side == PairSide::sends ? blocks.sides().input : blocks.sides().output).blocks.front();
}

halo::Part part_of(const PairEnd& end, Path path) {
  const halo::Edge edge{.peer = end.peer, .blocks = {0}, .channel = 0, .path = path};
  if (end.side == PairSide::sends) return {.inputs = 1, .outputs = 0, .received = {}, .sent = {edge}, .copies = {}};
  return {.inputs = 0, .outputs = 1, .received = {edge}, .sent = {}, .copies = {}};
}

}  // namespace

PairedRun::PairedRun(PreparedCommunicator& communicator, std::shared_ptr<Pairs> pairs, const PairEnd& end,
                     const Call& call, std::unique_ptr<NeighbourBlocks> blocks)
    : PersistentRun(communicator, pairs->tags(), 0),
      pairs_(std::move(pairs)),
      end_(end),
      stream_(pairs_->stream(end.side, end.peer, end.tag)),
      blocks_(std::move(blocks)),
      bytes_(only_block(*blocks_, end.side).bytes()),
      is_diagonal_(communicator.grid().are_diagonal(communicator.rank(), end.peer)),
      promise_(*communicator.job().pair_fabric, *pairs_, stream_, end_, bytes_) {
  use(call, {});
  stream_.add(bytes_);
}

int PairedRun::get_ready() {
  has_turn_ = false;
  if (blocks_ != nullptr) {
    const int status = guarded(call(), [&] {
      const halo::Part part = part_of(end_, path_);
      use(call(), prepare_exchange({.communicator = communicator(),
                                    .part = part,
                                    .form = CallForm::persistent,
                                    .behind_request = &pairs_->tags()->endpoint()},
                                   std::move(blocks_)));
    });
    is_settled_ = true;
    if (status != MPI_SUCCESS) return status;
  }
  return stage();
}

// As a message that was received by the MPI would be.
void PairedRun::describe(MPI_Status& status) const {
  if (end_.side != PairSide::receives) return;
  const bool is_short = bytes_ <= INT_MAX;
  const CallBlocks& said = call().received;
  mpi().Status_set_elements(&status, is_short ? MPI_BYTE : said.type,
                            is_short ? static_cast<int>(bytes_) : static_cast<int>(said.count));
  mpi().Status_set_cancelled(&status, 0);
  status.MPI_SOURCE = end_.peer;
  status.MPI_TAG = end_.tag;
}

}  // namespace espalier
