// SPDX-License-Identifier: Apache-2.0
#include "mpi/deferred/nonblocking.hpp"

#include <optional>

#include "mpi/calls/intercept.hpp"
#include "mpi/deferred/nonblocking_start.hpp"
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
    const BufferUse use = use_of_buffers(call_, communicator_.rank());
    const bool may_be_known = use <= BufferUse::in_place && has_buffers(call_, communicator_.rank());
    return may_be_known ? start_known(use == BufferUse::in_place) : start_unknown();
  }

  // By what a call that was like this one has left.
  [[nodiscard]] int start_known(bool in_place) {
    const RecentCall& recent = recent_place(call_, in_place, communicator_);
    const bool is_recent = recent.is_for(call_, in_place);
    if (is_recent && recent.watchers.decision != nullptr) return start_by(*recent.watchers.decision, in_place);
    if (auto repeated = take_repeated(in_place, nullptr)) return repeat(std::move(repeated));
    if (is_recent && recent.prepared == nullptr) return run_native(call_, communicator_);
    return start_unknown(in_place);
  }

  // What was left by a call of that choice; or, if that is null, by one whose choice holds for ever. Another one must
  // not be taken without asking its decision.
  [[nodiscard]] std::unique_ptr<RepeatedCall> take_repeated(bool in_place, const Choice* choice) {
    // What a run of before left while decisions were forgotten is out of date.
    const std::uint64_t generation = communicator_.generation.load(std::memory_order_relaxed);
    return communicator_.repeated.take([&](const RepeatedCall& one) {
      const bool is_of_choice = choice == nullptr ? one.recent.watchers.decision == nullptr : one.choice == *choice;
      return one.generation == generation && is_of_choice && one.recent.is_for(call_, in_place);
    });
  }

  [[nodiscard]] int start_by(Decision& decision, bool in_place) {
    const Choice choice = decision.next().choice;
    if (choice.native()) return start_natively(choice.reason);
    if (auto repeated = take_repeated(in_place, &choice)) return repeat(std::move(repeated));
    Decided decided;
    const int status = guarded(call_, [&] { decided = find_decision(call_, communicator_, *context->selector); });
    if (status != MPI_SUCCESS) return fail(status);
    decided.choice = choice;
    return start_decided(decided, in_place);
  }

  // `in_place`: nothing if the call cannot be remembered.
  [[nodiscard]] int start_unknown(std::optional<bool> in_place = {}) {
    Decided decided;
    const int status = guarded(call_, [&] { decided = decide(call_, communicator_, *context->selector); });
    if (status != MPI_SUCCESS) return fail(status);
    if (!decided.found.by_handles || communicator_.job().fault_tolerant) in_place.reset();
    if (in_place && decided.changing != nullptr) remember(*in_place, decided.changing);
    if (decided.choice.native()) {
      // The report wants to know why.
      const bool is_settled = in_place && decided.changing == nullptr && !communicator_.job().reports();
      if (is_settled) remember(*in_place, nullptr);
      return start_natively(decided.choice.reason, decided.found.wrong);
    }
    if (!outlives_its_handles(call_, decided.found)) return start_natively(operation_of_users);
    return start_decided(decided, in_place);
  }

  // `decision`: null if such calls are native for ever.
  void remember(bool in_place, Decision* decision) {
    RecentCall& recent = recent_place(call_, in_place, communicator_);
    recent = {};
    if (recent.note(call_, in_place, {}, communicator_.rank(), communicator_.size()))
      recent.watchers.decision = decision;
  }

  // `wrong`: if the call looks so.
  [[nodiscard]] int start_natively(const char* reason, const char* wrong = nullptr) {
    choice_ = {.reason = reason};
    const int status = run_native(call_, communicator_);
    if (wrong != nullptr && status == MPI_SUCCESS) note_accepted(call_, communicator_, wrong);
    return status;
  }

  [[nodiscard]] int repeat(std::unique_ptr<RepeatedCall> repeated) {
    choice_ = repeated->choice;
    return start_own([&](NonblockingRun& run) {
      run.repeat(call_, std::move(repeated));
      return MPI_SUCCESS;
    });
  }

  [[nodiscard]] int start_decided(const Decided& decided, std::optional<bool> in_place) {
    choice_ = decided.choice;
    return start_own([&](NonblockingRun& run) {
      const int status = run.prepare(call_, decided.found, decided.choice);
      if (status == MPI_SUCCESS && in_place) run.remember(call_, *in_place, decided.choice, decided.changing);
      return status;
    });
  }

  // `get_ready` returns an MPI code.
  template <class GetReady>
  [[nodiscard]] int start_own(GetReady get_ready) {
    const int status = start_run(call_, communicator_, get_ready);
    if (status == MPI_SUCCESS) communicator_.counter(call_.collective()).count_own();
    return status;
  }

  [[nodiscard]] int fail(int status) { return fail_to_start(call_, communicator_, status); }

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
