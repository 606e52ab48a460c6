// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/nonblocking_exchange.hpp"

#include "mpi/call/reasons.hpp"
#include "mpi/deferred/nonblocking_call.hpp"
#include "mpi/neighbours/meeting.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"

namespace espalier {

namespace {

class NonblockingExchange {
 public:
  NonblockingExchange(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  [[nodiscard]] const char* reason_for_native() const {
    return espalier::reason_for_native(communicator_, CallForm::nonblocking);
  }

  [[nodiscard]] int decide(RanAs& ran_as, std::unique_ptr<RepeatedCall>& repeated) {
    ran_as = espalier::ran_as(meeting());
    if (meeting().has_buffers(call_)) repeated = take_repeated();
    if (repeated != nullptr) return MPI_SUCCESS;
    const int status =
        guarded(call_, [&] { blocks_ = std::make_unique<NeighbourBlocks>(job_, call_, meeting().neighbourhood); });
    if (status == MPI_SUCCESS && !blocks_->are_right()) {
      // The others' messages of the call may already lie here.
      communicator_.endpoint().watch.mark_unclean();
      ran_as = ran_natively(bad_arguments, why::looks_wrong);
    }
    return status;
  }

  [[nodiscard]] int prepare(NonblockingRun& run) {
    const HaloRoutes routes = routes_of_call(meeting(), blocks_->sides(), CallForm::nonblocking);
    const halo::Part part = part_of(communicator_.rank(), meeting().neighbourhood, routes, blocks_->sides());
    run.use(call_, prepare_exchange({.communicator = communicator_,
                                     .part = part,
                                     .form = CallForm::nonblocking,
                                     .behind_request = &communicator_.endpoint()},
                                    std::move(blocks_)));
    run.remember(call_, false, meeting().named_places(call_), {}, nullptr);
    return MPI_SUCCESS;
  }

 private:
  [[nodiscard]] const NeighbourMeeting& meeting() const { return *communicator_.neighbours; }

  // What a call that was like this one has left. What a run of before left while what was prepared was forgotten is out
  // of date.
  [[nodiscard]] std::unique_ptr<RepeatedCall> take_repeated() {
    const std::uint64_t generation = communicator_.generation.load(std::memory_order_relaxed);
    return communicator_.repeated.take(
        [&](const RepeatedCall& one) { return one.generation == generation && one.recent.is_for(call_, false); });
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  std::unique_ptr<NeighbourBlocks> blocks_;
};

}  // namespace

int start_exchange(const Call& call, const void* caller) {
  if (context->job.fabric == nullptr) return pass_on_request_from(call, caller, why::no_lanes);
  return do_nonblocking_call<NonblockingExchange>(call, caller);
}

}  // namespace espalier
