// SPDX-License-Identifier: Apache-2.0
#include "mpi/deferred/nonblocking_collective.hpp"

#include <optional>

#include "mpi/calls/decide.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/deferred/nonblocking_call.hpp"

namespace espalier {

namespace {

class NonblockingCollective {
 public:
  NonblockingCollective(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator) {}

  [[nodiscard]] const char* reason_for_native() const {
    return communicator_.has_joined() ? nullptr : why::no_tags_yet;
  }

  [[nodiscard]] int decide(RanAs& ran_as, std::unique_ptr<RepeatedCall>& repeated) {
    const BufferUse use = use_of_buffers(call_, communicator_.rank());
    const bool may_be_known = use <= BufferUse::in_place && has_buffers(call_, communicator_.rank());
    if (!may_be_known) return decide_unknown(ran_as);
    in_place_ = use == BufferUse::in_place;
    return decide_known(ran_as, repeated);
  }

  [[nodiscard]] int prepare(NonblockingRun& run) {
    const int status = run.prepare(call_, decided_->found, decided_->choice);
    if (status == MPI_SUCCESS && in_place_) run.remember(call_, *in_place_, decided_->choice, decided_->changing);
    return status;
  }

 private:
  // By what a call that was like this one has left.
  [[nodiscard]] int decide_known(RanAs& ran_as, std::unique_ptr<RepeatedCall>& repeated) {
    const RecentCall& recent = recent_place(call_, *in_place_, communicator_);
    const bool is_recent = recent.is_for(call_, *in_place_);
    if (is_recent && recent.watchers.decision != nullptr) {
      return decide_by(*recent.watchers.decision, ran_as, repeated);
    }
    if (repeated = take_repeated(nullptr); repeated != nullptr) {
      ran_as.choice = repeated->choice;
      return MPI_SUCCESS;
    }
    return is_recent && recent.prepared == nullptr ? MPI_SUCCESS : decide_unknown(ran_as);
  }

  // What was left by a call of that choice; or, if that is null, by one whose choice is permanent. Another one must
  // not be taken without asking its decision.
  [[nodiscard]] std::unique_ptr<RepeatedCall> take_repeated(const Choice* choice) {
    // What a run of before left while decisions were forgotten is out of date.
    const std::uint64_t generation = communicator_.generation.load(std::memory_order_relaxed);
    return communicator_.repeated.take([&](const RepeatedCall& one) {
      const bool is_of_choice = choice == nullptr ? one.recent.watchers.decision == nullptr : one.choice == *choice;
      return one.generation == generation && is_of_choice && one.recent.is_for(call_, *in_place_);
    });
  }

  [[nodiscard]] int decide_by(Decision& decision, RanAs& ran_as, std::unique_ptr<RepeatedCall>& repeated) {
    ran_as.choice = decision.next().choice;
    if (ran_as.native()) return MPI_SUCCESS;
    if (repeated = take_repeated(&ran_as.choice); repeated != nullptr) return MPI_SUCCESS;
    const int status = guarded(call_, [&] { decided_ = find_decision(call_, communicator_, *context->selector); });
    if (status == MPI_SUCCESS) decided_->choice = ran_as.choice;
    return status;
  }

  [[nodiscard]] int decide_unknown(RanAs& ran_as) {
    const int status = guarded(call_, [&] { decided_ = espalier::decide(call_, communicator_, *context->selector); });
    if (status != MPI_SUCCESS) return status;
    if (!decided_->found.by_handles || communicator_.job().fault_tolerant) in_place_.reset();
    if (in_place_ && decided_->changing != nullptr) remember(decided_->changing);
    ran_as = {.choice = decided_->choice};
    if (ran_as.native()) {
      // The report wants to know why.
      const bool is_settled = in_place_ && decided_->changing == nullptr && !communicator_.job().reports();
      if (is_settled) remember(nullptr);
      ran_as.wrong = decided_->found.wrong;
    } else if (!outlives_its_handles(call_, decided_->found)) {
      ran_as = ran_natively(why::operation_of_users);
    }
    return MPI_SUCCESS;
  }

  // `decision`: null if such calls are native permanently.
  void remember(Decision* decision) {
    RecentCall& recent = recent_place(call_, *in_place_, communicator_);
    recent = {};
    if (recent.note(call_, *in_place_, {}, communicator_.rank(), communicator_.size()))
      recent.watchers.decision = decision;
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  std::optional<bool> in_place_;    // nothing if the call cannot be remembered
  std::optional<Decided> decided_;  // nothing as long as a call that was like it says all
};

}  // namespace

int start_nonblocking(const Call& call, const void* caller) {
  return do_nonblocking_call<NonblockingCollective>(call, caller);
}

}  // namespace espalier
