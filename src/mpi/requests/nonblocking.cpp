// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/nonblocking.hpp"

#include "mpi/requests/nonblocking_run.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

class NonblockingCall {
 public:
  NonblockingCall(const Call& call, PreparedCommunicator& communicator) : call_(call), communicator_(communicator) {}

  [[nodiscard]] int start() {
    return do_reported(call_, choice_, [&] { return start_somehow(); });
  }

 private:
  [[nodiscard]] int start_somehow() {
    if (!requests().are_possible) return start_natively(no_requests);
    if (communicator_.unusual() != nullptr) return start_natively(communicator_.unusual());
    if (!communicator_.has_joined()) return start_natively(no_tags_yet);
    if (!communicator_.may_keep_tags()) return fail(MPI_ERR_OTHER);
    Decided decided;
    const int status = guarded(call_, [&] { decided = decide(call_, communicator_, *context->selector); });
    if (status != MPI_SUCCESS) return fail(status);
    if (decided.choice.native()) return start_natively(decided.choice.reason);
    if (!outlives_its_handles(call_, decided.found)) return start_natively(operation_of_users);
    choice_ = decided.choice;
    return start_own(decided);
  }

  [[nodiscard]] int start_natively(const char* reason) {
    choice_ = {.reason = reason};
    return run_native(call_, communicator_);
  }

  [[nodiscard]] int start_own(const Decided& decided) {
    std::shared_ptr<NonblockingRun> run;
    int prepared = MPI_SUCCESS;
    int status = guarded(call_, [&] {
      run = std::make_shared<NonblockingRun>(communicator_);
      prepared = run->prepare(call_, decided.found, decided.choice);
    });
    if (status == MPI_SUCCESS) status = prepared;
    if (status == MPI_SUCCESS) status = run->make_handle(*call_.request);
    if (status != MPI_SUCCESS) return fail(status);
    communicator_.counter(call_.collective()).count_own();
    run->go();
    return MPI_SUCCESS;
  }

  // The other ranks are not told, since nobody would listen; but what they send may lie here.
  [[nodiscard]] int fail(int status) {
    communicator_.endpoint().watch.mark_unclean();
    return raise(call_, communicator_, status);
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  Choice choice_;  // as what it runs
};

}  // namespace

int start_nonblocking(const Call& call, const void* caller) {
  return with_communicator(
      call, caller, [&](PreparedCommunicator& communicator) { return NonblockingCall(call, communicator).start(); });
}

}  // namespace espalier
