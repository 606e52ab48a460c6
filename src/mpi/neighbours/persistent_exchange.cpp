// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/persistent_exchange.hpp"

#include "mpi/deferred/persistent.hpp"
#include "mpi/deferred/persistent_run.hpp"
#include "mpi/neighbours/exchange_plan.hpp"
#include "mpi/neighbours/meeting.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"
#include "mpi/call/reasons.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

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
    if (job_.fabric == nullptr) return init_natively(why::no_lanes);
    int status = find_neighbourhood(job_.mpi, communicator_.handle(), neighbourhood_);
    if (status != MPI_SUCCESS) return status;
    if (neighbourhood_.kind == MPI_UNDEFINED) return init_natively(why::no_neighbours);
    status = find_tags(call_, communicator_, tags_);
    if (status != MPI_SUCCESS) return status;
    if (tags_ == nullptr) return init_natively(communicator_.unusual() != nullptr ? communicator_.unusual() : no_tags);
    number_ = tags_->take();
    // So that nonblocking calls can be ours from here on.
    status = meet_neighbours(communicator_, call_.meets_as());
    return status == MPI_SUCCESS ? init_agreed() : status;
  }

  // Once all have heard what there is to send, each plans for itself, and comes to the same; whether that went well
  // everywhere, they ask each other.
  [[nodiscard]] int init_agreed() {
    const MeetingOrder meeting = meeting_of(job_.mpi, requests().to_self, neighbourhood_.kind, CallForm::persistent);
    HeardExchange heard;
    int agreed = MPI_SUCCESS;
    (void)guarded(call_, [&] { blocks_ = std::make_unique<NeighbourBlocks>(job_, call_, neighbourhood_); });
    int status = guarded(call_, [&] {
      const bool can = meeting != MeetingOrder::unknown;
      agreed = hear_exchange(communicator_, call_.info, neighbourhood_, blocks_.get(), can, heard);
    });
    if (status != MPI_SUCCESS) return raise(call_, status);
    if (agreed != MPI_SUCCESS) return agreed;
    if (heard.refused != nullptr) return init_natively(heard.refused);
    ExchangePlan plan;
    std::shared_ptr<PersistentRun> run;
    status = guarded(call_, [&] {
      plan = plan_exchange(communicator_, heard, neighbourhood_, *blocks_, meeting);
      if (plan.is_ours && plan.fits_neighbours) run = make_run(plan);
    });
    bool is_ready_everywhere = false;
    agreed = agree(status == MPI_SUCCESS && (run != nullptr || !plan.is_ours), is_ready_everywhere);
    if (agreed != MPI_SUCCESS) return agreed;
    if (!is_ready_everywhere) return init_natively(not_ready);
    if (!plan.is_ours) return init_natively(plan.reason);
    ran_as_ = {.algorithm = plan.is_aggregated ? plan.packer + "+aggregated" : plan.packer, .reason = plan.reason};
    status = run->make_handle(*call_.request);
    return status == MPI_SUCCESS ? status : raise(call_, status);
  }

  // Whether it is so on all ranks.
  [[nodiscard]] int agree(bool here, bool& everywhere) const {
    const int mine = here ? 1 : 0;
    int all = 0;
    const int status = job_.mpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, communicator_.handle());
    everywhere = status == MPI_SUCCESS && all != 0;
    return status;
  }

  static constexpr char not_ready[] = "not ready on all ranks";

  [[nodiscard]] int init_natively(const char* reason) {
    ran_as_ = {.algorithm = std::string(native_name), .reason = reason};
    return call_.function->native(job_.mpi, call_);
  }

  [[nodiscard]] std::shared_ptr<PersistentRun> make_run(const ExchangePlan& plan) {
    Preparation ready = prepare_exchange({.communicator = communicator_,
                                          .part = plan.part,
                                          .form = CallForm::persistent,
                                          .behind_request = &tags_->endpoint()},
                                         std::move(blocks_));
    auto run = std::make_shared<PersistentRun>(communicator_, tags_, number_);
    run->use(call_, std::move(ready));
    return run;
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
