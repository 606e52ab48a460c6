// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/blocking_call.hpp"

#include "mpi/calls/pass_on.hpp"
#include "mpi/calls/run_call.hpp"
#include "mpi/calls/stopwatch.hpp"

namespace espalier {

namespace {

class BlockingCall {
 public:
  BlockingCall(const Call& call, PreparedCommunicator& communicator, BlockingWork& work)
      : call_(call), communicator_(communicator), work_(work) {}

  // Where a step of this rank alone fails, the others learn of it.
  [[nodiscard]] int run() {
    if (const int status = work_.agree(agreed_); status != MPI_SUCCESS) return status;
    if (const int status = guarded(call_, [&] { find_row(); }); status != MPI_SUCCESS) return raise_here(status);
    Stopwatch stopwatch(agreed_.watchers, account_of(communicator_.job(), call_), agreed_.arrived);
    return agreed_.ran_as.native() ? run_natively() : prepare_and_run(stopwatch);
  }

 private:
  void find_row() {
    const bool reports = communicator_.job().reports();
    const std::optional<std::size_t> bytes = reports ? work_.bytes(agreed_.ran_as) : std::nullopt;
    if (!bytes) return;
    agreed_.watchers.bytes = *bytes;
    const ReportKey key(call_, *bytes, agreed_.ran_as, communicator_.name());
    agreed_.watchers.row = &communicator_.statistics.row(key.view());
  }

  [[nodiscard]] int run_natively() {
    work_.remember(nullptr, {}, agreed_.watchers);
    const RanAs& ran_as = agreed_.ran_as;
    const auto natively = [&] {
      return call_.function->is_collective() ? run_native(call_, communicator_)
                                             : pass_on_known(call_, ran_as.choice.reason, communicator_);
    };
    return ran_as.wrong == nullptr ? natively() : run_wrong(call_, communicator_, ran_as.wrong, natively);
  }

  [[nodiscard]] int prepare_and_run(Stopwatch& stopwatch) {
    Preparation ready;
    int status = guarded(call_, [&] { ready = work_.prepare(); });
    if (status == MPI_SUCCESS && ready.staging) status = ready.staging->stage();
    if (status != MPI_SUCCESS) {
      stopwatch.cancel();
      return raise_here(status);
    }
    if (ready.is_repeatable) work_.remember(ready.prepared, ready.buffers, agreed_.watchers);
    stopwatch.follow(*ready.prepared);
    status = run_on(*ready.prepared, ready.staging ? ready.staging->buffers() : ready.buffers);
    if (!ready.staging) return status;
    const int delivered = status == MPI_SUCCESS ? ready.staging->deliver() : MPI_SUCCESS;
    communicator_.staging.release_if_large();
    if (delivered == MPI_SUCCESS) return status;
    stopwatch.cancel();
    return raise(call_, delivered);
  }

  [[nodiscard]] int run_on(Prepared& prepared, const Buffers& buffers) {
    return call_.function->is_collective() ? run_own(call_, communicator_, prepared, buffers)
                                           : run_prepared(call_, communicator_, prepared, buffers);
  }

  [[nodiscard]] int raise_here(int status) { return raise_for_all(call_, communicator_, status); }

  const Call& call_;
  PreparedCommunicator& communicator_;
  BlockingWork& work_;
  AgreedCall agreed_;
};

}  // namespace

int do_blocking_call(const Call& call, PreparedCommunicator& communicator, BlockingWork& work) {
  return BlockingCall(call, communicator, work).run();
}

}  // namespace espalier
