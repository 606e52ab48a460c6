// SPDX-License-Identifier: Apache-2.0
// A persistent send or receive of ours, which meets one of another rank (pairs.hpp).
#pragma once

#include "mpi/deferred/persistent_run.hpp"
#include "mpi/neighbours/neighbour_blocks.hpp"
#include "mpi/pairs/promise.hpp"

namespace espalier {

class PairedRun final : public PersistentRun {
 public:
  // `blocks`: the one that is sent, or received. Throws on allocation failure.
  PairedRun(PreparedCommunicator& communicator, std::shared_ptr<Pairs> pairs, const PairEnd& end, const Call& call,
            std::unique_ptr<NeighbourBlocks> blocks);
  ~PairedRun() override { stream_.remove(bytes_); }

  [[nodiscard]] const PairEnd& end() const { return end_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool is_diagonal() const { return is_diagonal_; }

  // How it is sent; from then on it is settled. `turn`: among those that are started together.
  [[nodiscard]] bool is_settled() const { return is_settled_; }
  void settle_route(Path path, int turn) {
    path_ = path;
    turn_ = turn;
    is_settled_ = true;
  }
  // Of a receive it is the first one.
  [[nodiscard]] int turn() const { return turn_; }

  void take_turn() override {
    if (has_turn_) return;
    const std::uint64_t number = stream_.start(bytes_);
    set_number(number);
    promise_.begin(number);
    has_turn_ = true;
  }
  [[nodiscard]] PairedRun* paired() override { return this; }
  void describe(MPI_Status& status) const override;
  [[nodiscard]] bool may_be_freed_under_way() const override { return true; }

 private:
  [[nodiscard]] int get_ready() override;
  void note_empty_look() noexcept override {
    if (promise_.is_found_broken()) cancel(end_.peer);
  }

  const std::shared_ptr<Pairs> pairs_;
  const PairEnd end_;
  PairStream& stream_;
  std::unique_ptr<NeighbourBlocks> blocks_;  // until the first start
  const std::size_t bytes_;
  const bool is_diagonal_;
  Promise promise_;
  Path path_ = by_all_in_turn;
  int turn_ = -1;
  bool is_settled_ = false, has_turn_ = false;
};

}  // namespace espalier
