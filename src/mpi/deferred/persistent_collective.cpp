// SPDX-License-Identifier: Apache-2.0
#include "mpi/deferred/persistent_collective.hpp"

#include "mpi/calls/decide.hpp"
#include "mpi/deferred/persistent_call.hpp"
#include "mpi/requests/request_call.hpp"

namespace espalier {

namespace {

class PersistentCollective final : public PersistentWork {
 public:
  PersistentCollective(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator) {}

  [[nodiscard]] int agree(RanAs& ran_as) override {
    const char* refused = nullptr;
    int status = agree_on_tags(call_, communicator_, tags_, refused);
    if (status != MPI_SUCCESS) return status;
    if (refused != nullptr) {
      ran_as = ran_natively(refused);
      return MPI_SUCCESS;
    }
    status = guarded(call_, [&] { decided_ = decide(call_, communicator_, *context->selector); });
    if (status != MPI_SUCCESS) return raise(call_, status);
    ran_as = {.choice = decided_.choice, .wrong = decided_.choice.native() ? decided_.found.wrong : nullptr};
    const bool is_ours = !ran_as.native();
    if (is_ours && !outlives_its_handles(call_, decided_.found)) ran_as = ran_natively(why::operation_of_users);
    return MPI_SUCCESS;
  }

  [[nodiscard]] int prepare(std::shared_ptr<PersistentRun>& run) override {
    run = std::make_shared<PersistentRun>(communicator_, tags_.tags, tags_.number);
    return run->prepare(call_, decided_.found, decided_.choice);
  }

 private:
  const Call& call_;
  PreparedCommunicator& communicator_;
  RequestTags tags_;
  Decided decided_;
};

}  // namespace

int init_persistent(const Call& call, const void* caller) {
  return enter_with_request(call, caller, [&](PreparedCommunicator& communicator) {
    PersistentCollective work(call, communicator);
    return do_persistent_call(call, communicator, work);
  });
}

}  // namespace espalier
