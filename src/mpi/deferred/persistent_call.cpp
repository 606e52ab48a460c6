// SPDX-License-Identifier: Apache-2.0
#include "mpi/deferred/persistent_call.hpp"

#include "mpi/call/reasons.hpp"
#include "mpi/calls/errors.hpp"
#include "mpi/requests/reported_request.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

class PersistentCall {
 public:
  PersistentCall(const Call& call, PreparedCommunicator& communicator, PersistentWork& work)
      : call_(call), communicator_(communicator), work_(work) {}

  [[nodiscard]] int init() {
    return do_reported(call_, ran_as_, [&] { return agree_and_init(); });
  }

 private:
  [[nodiscard]] int agree_and_init() {
    const int status = agree();
    if (status != MPI_SUCCESS) return status;
    return ran_as_.native() ? init_natively() : init_own();
  }

  [[nodiscard]] int agree() {
    if (requests().are_possible) return work_.agree(ran_as_);
    ran_as_ = ran_natively(why::no_requests);
    return MPI_SUCCESS;
  }

  [[nodiscard]] int init_natively() {
    const int status = work_.init_natively(communicator_.job().mpi, call_);
    if (ran_as_.wrong != nullptr && status == MPI_SUCCESS) note_accepted(call_, communicator_, ran_as_.wrong);
    return status;
  }

  [[nodiscard]] int init_own() {
    int prepared = MPI_SUCCESS;
    std::shared_ptr<PersistentRun> run;
    int status = guarded(call_, [&] { prepared = work_.prepare(run); });
    if (status == MPI_SUCCESS) status = prepared;
    if (status == MPI_SUCCESS) status = run->make_handle(*call_.request);
    return status == MPI_SUCCESS ? status : raise(call_, status);
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  PersistentWork& work_;
  RanAs ran_as_;
};

}  // namespace

int do_persistent_call(const Call& call, PreparedCommunicator& communicator, PersistentWork& work) {
  return PersistentCall(call, communicator, work).init();
}

int agree_on_tags(const Call& call, PreparedCommunicator& communicator, RequestTags& tags, const char*& refused) {
  int status = communicator.renew_tags(call.meets_as());
  if (status == MPI_SUCCESS) status = communicator.join(call.meets_as());
  if (status == MPI_SUCCESS && communicator.unusual() == nullptr) {
    status = communicator.find_persistent_tags(call.meets_as(), tags.tags);
  }
  if (status != MPI_SUCCESS) return status;
  if (tags.tags != nullptr) {
    tags.number = tags.tags->take();  // on all ranks alike, whatever becomes of it here
  } else {
    refused = communicator.unusual() != nullptr ? communicator.unusual() : why::no_tags;
  }
  return MPI_SUCCESS;
}

}  // namespace espalier
