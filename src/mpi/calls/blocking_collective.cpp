// SPDX-License-Identifier: Apache-2.0
// A collective call that was not seen lately, in one straight line: classify, decide, join. Then the driver of
// all blocking calls goes on (blocking_call.hpp).
#include <optional>
#include <utility>

#include "mpi/call/addressed.hpp"
#include "mpi/calls/agree.hpp"
#include "mpi/calls/blocking_call.hpp"
#include "mpi/calls/decide.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/pass_on.hpp"
#include "mpi/prepared/first_calls.hpp"
#include "policy/overlap.hpp"

namespace espalier {

namespace {

class BlockingCollective final : public BlockingWork {
 public:
  BlockingCollective(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  // Where a step of this rank alone fails, the others learn of it; where all take part, the MPI has raised the error.
  [[nodiscard]] int agree(AgreedCall& agreed) override {
    if (const int status = renew_tags_if_due(); status != MPI_SUCCESS) return status;
    if (const int status = guarded(call_, [&] { find_decision(); }); status != MPI_SUCCESS) return raise_here(status);
    if (watchers_.decision != nullptr) arrived_ = Clock::now();
    if (const int status = decide(); status != MPI_SUCCESS) return status;
    if (const int status = join(); status != MPI_SUCCESS) return status;
    watchers_.problem_bytes = found_.problem.bytes();
    const bool is_wrong = choice_.native() && found_.unusual == bad_arguments;
    agreed = {{.choice = choice_, .wrong = is_wrong ? found_.wrong : nullptr}, watchers_, arrived_};
    return MPI_SUCCESS;
  }

  // Where not all ranks know the sizes of the blocks, those that this one knows.
  [[nodiscard]] std::optional<std::size_t> bytes(const RanAs& /*ran_as*/) const override {
    const bool are_known = !found_.problem.is_uneven || call_.contract().sizes_are_common();
    return are_known || found_.unusual == bad_arguments ? found_.problem.bytes() : given_bytes(job_.mpi, call_);
  }

  [[nodiscard]] Preparation prepare() override {
    return espalier::prepare({call_, communicator_, found_, choice_, communicator_.staging});
  }

  // Under a fault-tolerant MPI each call first asks whether the communicator still works.
  void remember(Prepared* prepared, const Buffers& buffers, const Watchers& watchers) noexcept override {
    if (!found_.by_handles || job_.fault_tolerant) return;
    const BufferUse use = use_of_buffers(call_, communicator_.rank());
    if (use > BufferUse::in_place) return;
    const bool in_place = use == BufferUse::in_place;
    RecentCall& recent = recent_place(call_, in_place, communicator_);
    if (!recent.note(call_, in_place, buffers, communicator_.rank(), communicator_.size())) return;
    recent.is_watched = watchers.want_seconds();
    recent.prepared = prepared;
    recent.watchers = watchers;
    recent.counter = counter();
    recent.until = is_first_ ? last_first_call() : watchers.decision != nullptr ? watchers.decision->end() : 0;
  }

 private:
  // All ranks wait for each other there; so not in a call in which they may not.
  [[nodiscard]] bool all_wait_for_all() const {
    return depends_on_all(call_.collective()) && !call_.function->is_uneven;
  }

  [[nodiscard]] int renew_tags_if_due() {
    if (!all_wait_for_all()) return communicator_.may_keep_tags() ? MPI_SUCCESS : raise_here(MPI_ERR_OTHER);
    return communicator_.renew_tags(call_.meets_as());
  }

  // By our own code, and by questions to the MPI that raise no error.
  void find_decision() {
    Decided decided = look_at(call_, communicator_);
    const char* const first = decided.is_open ? count_first_call(communicator_, decided.found.problem) : nullptr;
    is_first_ = first != nullptr;
    is_first_ ? (void)(decided.choice = {.reason = first})
              : espalier::find_decision(decided, communicator_, *context->selector);
    found_ = std::move(decided.found);
    choice_ = decided.choice;
    watchers_.decision = decided.changing;
  }

  // Of calls that what runs holds for.
  [[nodiscard]] std::uint64_t* counter() const {
    if (is_first_) return &communicator_.first_calls(call_.collective());
    return watchers_.decision != nullptr ? &watchers_.decision->counter() : nullptr;
  }
  [[nodiscard]] std::uint64_t last_first_call() const { return static_cast<std::uint64_t>(job_.settings.first_calls); }

  // A decision that changes is asked; the ranks may have to agree first.
  [[nodiscard]] int decide() {
    if (watchers_.decision == nullptr) return MPI_SUCCESS;
    const Agreed agreed = espalier::agree(call_, communicator_, *watchers_.decision);
    choice_ = agreed.choice;
    if (agreed.is_undecided) watchers_.decision = nullptr;
    return agreed.status;
  }

  // The ranks agree on what makes traffic of ours possible, or on going on without. A rank may be far ahead in a short
  // rooted call: there they do not, and the next call in which all wait for all does it for them.
  [[nodiscard]] int join() {
    const bool would_be_ours = !choice_.native();
    if (!would_be_ours && !(communicator_.wants_to_join && found_.unusual == nullptr && all_wait_for_all()))
      return MPI_SUCCESS;
    if (would_be_ours && !communicator_.has_joined() &&
        may_run_ahead(found_.problem.collective, found_.problem.bytes()) &&
        !job_.settings.forces(found_.problem.collective)) {
      return join_later();
    }
    const int status = communicator_.join(call_.meets_as());
    communicator_.wants_to_join = false;
    if (communicator_.unusual() != nullptr) choice_ = {.reason = communicator_.unusual()};
    return status;
  }

  [[nodiscard]] int join_later() {
    choice_ = {.reason = "short: all ranks have not met on the communicator yet"};
    if (watchers_.decision != nullptr) found_.by_handles = false;  // which counts all calls
    if (!communicator_.wants_to_join) communicator_.recent.clear();
    communicator_.wants_to_join = true;
    return MPI_SUCCESS;
  }

  [[nodiscard]] int raise_here(int status) { return raise_for_all(call_, communicator_, status); }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  Classified found_;
  Choice choice_;
  bool is_first_ = false;  // nothing is decided yet for calls of its kind
  Watchers watchers_;
  Clock::time_point arrived_;
};

// One of the first short calls on a communicator whose ranks have not met, by its arguments alone: counts it, and
// remembers it for the next ones. What such a call is asked for otherwise, above, would take as long as itself.
bool is_first_call(const Call& call, PreparedCommunicator& communicator) {
  const Job& job = communicator.job();
  const bool is_new = !communicator.has_joined() && !communicator.wants_to_join && communicator.unusual() == nullptr;
  if (!is_new || job.reports() || job.fault_tolerant || call.function->is_uneven) return false;
  if (!has_first_calls(communicator, call.collective())) return false;
  const BufferUse use = use_of_buffers(call, communicator.rank());
  if (use > BufferUse::in_place) return false;
  const Classified found = classify(job, call, communicator.rank(), communicator.size(), use);
  if (found.unusual != nullptr || count_first_call(communicator, found.problem) == nullptr) return false;
  const bool in_place = use == BufferUse::in_place;
  RecentCall& recent = recent_place(call, in_place, communicator);
  if (!found.by_handles || !recent.note(call, in_place, buffers_of(call, in_place), NamedPlaces())) return true;
  recent.is_watched = false;
  recent.prepared = nullptr;
  recent.watchers = {};
  recent.counter = &communicator.first_calls(call.collective());
  recent.until = static_cast<std::uint64_t>(job.settings.first_calls);
  return true;
}

}  // namespace

int do_cold_call(Call call, PreparedCommunicator& communicator) {
  if (communicator.is_between_groups()) return pass_on_between_groups(call, communicator);
  if (is_first_call(call, communicator)) return run_native(call, communicator);
  BlockingCollective work(call, communicator);
  return do_blocking_call(call, communicator, work);
}

int do_first_call(Call call) {
  const auto pass_on = [&](const char* reason) { return pass_on_unknown(call, reason); };
  return enter_unknown(call, pass_on, [&](PreparedCommunicator& communicator) {
    communicator.begin_call();
    return do_cold_call(call, communicator);
  });
}

int do_watched_call(Call call, PreparedCommunicator& communicator, const RecentCall& recent) {
  Stopwatch stopwatch(recent.watchers, account_of(communicator.job(), call));
  if (recent.prepared == nullptr) return run_native(call, communicator);
  stopwatch.follow(*recent.prepared);
  return run_own(call, communicator, *recent.prepared, recent.buffers(call));
}

}  // namespace espalier
