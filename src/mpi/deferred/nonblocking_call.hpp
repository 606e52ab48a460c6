// SPDX-License-Identifier: Apache-2.0
// The driver of nonblocking calls: decide, then natively, or repeat or prepare, and let it go. Templates, as a call
// that is like an earlier one takes no longer than it has to.
#pragma once

#include <concepts>

#include "mpi/calls/run_call.hpp"
#include "mpi/deferred/nonblocking_run.hpp"
#include "mpi/requests/recycled.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

// What differs from one kind of call to another. All of it is local: no nonblocking call may wait for other ranks.
template <class Work>
concept NonblockingWork = requires(Work& work, NonblockingRun& run, RanAs& ran_as,
                                   std::unique_ptr<RepeatedCall>& repeated) {
  // Why it is the native MPI's, as all ranks know without being asked: static text; null: it may be ours.
  { work.reason_for_native() } -> std::convertible_to<const char*>;
  // Says what it runs as, and on what an earlier call that was like it has left, if there is that. Returns an MPI code,
  // whose error nobody has learnt of.
  { work.decide(ran_as, repeated) } -> std::same_as<int>;
  // If it is ours, and nothing is left. The same; throws on allocation failure.
  { work.prepare(run) } -> std::same_as<int>;
};

template <NonblockingWork Work>
class NonblockingCall {
 public:
  NonblockingCall(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), work_(call, communicator) {}

  [[nodiscard]] int start() {
    return do_reported(call_, ran_as_, [&] { return decide_and_start(); });
  }

 private:
  [[nodiscard]] int decide_and_start() {
    if (const char* const reason = reason_for_native()) {
      ran_as_ = ran_natively(reason);
      return start_natively();
    }
    if (!communicator_.may_keep_tags()) return fail(MPI_ERR_OTHER);
    std::unique_ptr<RepeatedCall> repeated;
    if (const int status = work_.decide(ran_as_, repeated); status != MPI_SUCCESS) return fail(status);
    return ran_as_.native() ? start_natively() : start_own(std::move(repeated));
  }

  [[nodiscard]] const char* reason_for_native() const {
    if (!requests().are_possible) return why::no_requests;
    return communicator_.unusual() != nullptr ? communicator_.unusual() : work_.reason_for_native();
  }

  [[nodiscard]] int start_natively() {
    const int status = call_.function->is_collective() ? run_native(call_, communicator_)
                                                       : call_.function->native(communicator_.job().mpi, call_);
    if (ran_as_.wrong != nullptr && status == MPI_SUCCESS) note_accepted(call_, communicator_, ran_as_.wrong);
    return status;
  }

  [[nodiscard]] int start_own(std::unique_ptr<RepeatedCall> repeated) {
    std::shared_ptr<NonblockingRun> run;
    int ready = MPI_SUCCESS;
    int status = guarded(call_, [&] {
      run = std::allocate_shared<NonblockingRun>(Recycled<NonblockingRun>(), communicator_);
      ready = get_ready(*run, std::move(repeated));
    });
    if (status == MPI_SUCCESS) status = ready;
    if (status == MPI_SUCCESS) status = run->make_handle(*call_.request);
    if (status != MPI_SUCCESS) return fail(status);
    run->go();
    if (call_.function->is_collective()) communicator_.counter(call_.collective()).count_own();
    return MPI_SUCCESS;
  }

  [[nodiscard]] int get_ready(NonblockingRun& run, std::unique_ptr<RepeatedCall> repeated) {
    if (repeated == nullptr) return work_.prepare(run);
    run.repeat(call_, std::move(repeated));
    return MPI_SUCCESS;
  }

  // The other ranks are not told, since nobody would listen; but what they send may lie here. Returns the code.
  [[nodiscard]] int fail(int status) {
    communicator_.endpoint().watch.mark_unclean();
    ran_as_ = {};  // its words may be the communicator's, which the handler may free
    return raise(call_, status);
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  Work work_;
  RanAs ran_as_;
};

// `caller`: where the call returns to. Returns an MPI code, after the error handler has had its say.
template <NonblockingWork Work>
[[nodiscard]] int do_nonblocking_call(const Call& call, const void* caller) {
  return enter_with_request(call, caller, [&](PreparedCommunicator& communicator) {
    return NonblockingCall<Work>(call, communicator).start();
  });
}

}  // namespace espalier
