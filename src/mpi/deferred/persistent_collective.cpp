// SPDX-License-Identifier: Apache-2.0
#include "mpi/deferred/persistent.hpp"

#include "mpi/deferred/persistent_run.hpp"
#include "mpi/requests/request_call.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

class PersistentCall {
 public:
  PersistentCall(const Call& call, PreparedCommunicator& communicator) : call_(call), communicator_(communicator) {}

  [[nodiscard]] int init() {
    return do_reported(call_, choice_, [&] { return init_somehow(); });
  }

 private:
  [[nodiscard]] int init_somehow() {
    if (!requests().are_possible) return init_natively(no_requests);
    std::shared_ptr<PersistentTags> tags;
    if (const int status = find_tags(call_, communicator_, tags); status != MPI_SUCCESS) return status;
    if (tags == nullptr) return init_natively(communicator_.unusual() != nullptr ? communicator_.unusual() : no_tags);
    // On all ranks alike, whatever becomes of it here.
    const std::uint64_t number = tags->take();
    Decided decided;
    const int status = guarded(call_, [&] { decided = decide(call_, communicator_, *context->selector); });
    if (status != MPI_SUCCESS) return raise(call_, status);
    if (decided.choice.native()) return init_natively(decided.choice.reason, decided.found.wrong);
    if (!outlives_its_handles(call_, decided.found)) return init_natively(operation_of_users);
    choice_ = decided.choice;
    return init_own(decided, tags, number);
  }

  // `wrong`: if the call looks so.
  [[nodiscard]] int init_natively(const char* reason, const char* wrong = nullptr) {
    choice_ = {.reason = reason};
    const int status = call_.function->native(communicator_.job().mpi, call_);
    if (wrong != nullptr && status == MPI_SUCCESS) note_accepted(call_, communicator_, wrong);
    return status;
  }

  [[nodiscard]] int init_own(const Decided& decided, const std::shared_ptr<PersistentTags>& tags,
                             std::uint64_t number) {
    int prepared = MPI_SUCCESS;
    std::shared_ptr<PersistentRun> run;
    int status = guarded(call_, [&] {
      run = std::make_shared<PersistentRun>(communicator_, tags, number);
      prepared = run->prepare(call_, decided.found, decided.choice);
    });
    if (status == MPI_SUCCESS) status = prepared;
    if (status == MPI_SUCCESS) status = run->make_handle(*call_.request);
    return status == MPI_SUCCESS ? status : raise(call_, status);
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  Choice choice_;  // as what it will run
};

}  // namespace

int find_tags(const Call& call, PreparedCommunicator& communicator, std::shared_ptr<PersistentTags>& tags) {
  int status = communicator.renew_tags(call.meets_as());
  if (status == MPI_SUCCESS) status = communicator.join(call.meets_as());
  if (status != MPI_SUCCESS || communicator.unusual() != nullptr) return status;
  return communicator.find_persistent_tags(call.meets_as(), tags);
}

int init_persistent(const Call& call, const void* caller) {
  return with_communicator(
      call, caller, [&](PreparedCommunicator& communicator) { return PersistentCall(call, communicator).init(); });
}

}  // namespace espalier
