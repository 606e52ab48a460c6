// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/nonblocking_exchange.hpp"

#include "mpi/deferred/nonblocking_start.hpp"
#include "mpi/neighbours/meeting.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"
#include "mpi/call/reasons.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

class NonblockingExchange {
 public:
  NonblockingExchange(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  [[nodiscard]] int start() {
    return do_reported(call_, ran_as_, [&] { return start_somehow(); });
  }

 private:
  [[nodiscard]] int start_somehow() {
    if (const char* const reason = reason_to_pass_on(); reason != nullptr) return start_natively(reason);
    if (!communicator_.may_keep_tags()) return fail(MPI_ERR_OTHER);
    const NeighbourMeeting& meeting = *communicator_.neighbours;
    if (job_.reports()) ran_as_ = {.algorithm = meeting.packer, .reason = meeting.reason};
    if (meeting.has_buffers(call_)) {
      if (auto repeated = take_repeated()) return repeat(std::move(repeated));
    }
    return start_unknown(meeting);
  }

  // All ranks come to the same.
  [[nodiscard]] const char* reason_to_pass_on() const {
    if (!requests().are_possible) return no_requests;
    if (communicator_.unusual() != nullptr) return communicator_.unusual();
    if (communicator_.neighbours_refused != nullptr) return communicator_.neighbours_refused;
    if (communicator_.neighbours == nullptr) return no_tags_yet;
    return communicator_.neighbours->of(CallForm::nonblocking).is_ours ? nullptr : why::not_for_us;
  }

  [[nodiscard]] int start_natively(const char* reason) {
    ran_as_ = {.algorithm = std::string(native_name), .reason = reason};
    return call_.function->native(job_.mpi, call_);
  }

  // What a call that was like this one has left. What a run of before left while what was prepared was forgotten is out
  // of date.
  [[nodiscard]] std::unique_ptr<RepeatedCall> take_repeated() {
    const std::uint64_t generation = communicator_.generation.load(std::memory_order_relaxed);
    return communicator_.repeated.take(
        [&](const RepeatedCall& one) { return one.generation == generation && one.recent.is_for(call_, false); });
  }

  [[nodiscard]] int repeat(std::unique_ptr<RepeatedCall> repeated) {
    return start_run(call_, communicator_, [&](NonblockingRun& run) {
      run.repeat(call_, std::move(repeated));
      return MPI_SUCCESS;
    });
  }

  [[nodiscard]] int start_unknown(const NeighbourMeeting& meeting) {
    std::unique_ptr<NeighbourBlocks> blocks;
    const int status =
        guarded(call_, [&] { blocks = std::make_unique<NeighbourBlocks>(job_, call_, meeting.neighbourhood); });
    if (status != MPI_SUCCESS) return fail(status);
    if (!blocks->are_right()) return start_wrong();
    return start_run(call_, communicator_, [&](NonblockingRun& run) {
      const HaloRoutes routes = routes_of_call(meeting, blocks->sides(), CallForm::nonblocking);
      const halo::Part part = part_of(communicator_.rank(), meeting.neighbourhood, routes, blocks->sides());
      run.use(call_, prepare_exchange({.communicator = communicator_,
                                       .part = part,
                                       .form = CallForm::nonblocking,
                                       .behind_request = &communicator_.endpoint()},
                                      std::move(blocks)));
      run.remember(call_, false, meeting.named_places(call_), {}, nullptr);
      return MPI_SUCCESS;
    });
  }

  // The native MPI raises what is wrong; the others' messages of the call may come to lie here.
  [[nodiscard]] int start_wrong() {
    communicator_.endpoint().watch.mark_unclean();
    const int status = start_natively(bad_arguments);
    if (status == MPI_SUCCESS) note_accepted(call_, communicator_, why::looks_wrong);
    return status;
  }

  [[nodiscard]] int fail(int status) { return fail_to_start(call_, communicator_, status); }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  RanAs ran_as_;
};

}  // namespace

int start_exchange(const Call& call, const void* caller) {
  if (context->job.fabric == nullptr) return pass_on_request_from(call, caller, why::no_lanes);
  return with_communicator(call, caller, [&](PreparedCommunicator& communicator) {
    return NonblockingExchange(call, communicator).start();
  });
}

}  // namespace espalier
