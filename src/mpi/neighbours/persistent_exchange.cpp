// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/persistent_exchange.hpp"

#include <algorithm>

#include "mpi/neighbours/exchange_plan.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"
#include "mpi/requests/persistent.hpp"
#include "mpi/requests/persistent_run.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

constexpr char no_lanes[] = "there are no NICs of ours";
constexpr char no_neighbours[] = "a communicator without a topology";

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
    Preparation ready = prepare_exchange(communicator_, tags_->endpoint(), part, std::move(blocks_));
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
      part.received.push_back(
          {.peer = peer, .block = place, .channel = channel(plan.turns_from[k]), .path = by_all_in_turn});
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
