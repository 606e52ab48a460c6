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
    if (!requests().are_possible || !communicator_.has_joined()) return run_native(call_, communicator_);
    if (!communicator_.may_keep_tags()) return fail(MPI_ERR_OTHER);
    Decided decided;
    const int status = guarded(call_, [&] { decided = decide(call_, communicator_, *context->selector); });
    if (status != MPI_SUCCESS) return fail(status);
    if (decided.choice.native() || !outlives_its_handles(call_, decided.found)) return run_native(call_, communicator_);
    return start_own(decided);
  }

 private:
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
};

}  // namespace

int start_nonblocking(const Call& call, const void* caller) {
  return with_communicator(
      call, caller, [&](PreparedCommunicator& communicator) { return NonblockingCall(call, communicator).start(); });
}

}  // namespace espalier
