// SPDX-License-Identifier: Apache-2.0
// A call that was not seen lately, in one straight line: classify, decide, join, prepare, remember, run.
#include <optional>

#include "mpi/call/addressed.hpp"
#include "mpi/call/report_key.hpp"
#include "mpi/calls/agree.hpp"
#include "mpi/calls/decide.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/pass_on.hpp"
#include "mpi/prepared/preparation.hpp"
#include "policy/overlap.hpp"

namespace espalier {

namespace {

class ColdCall {
 public:
  ColdCall(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  // Where a step of this rank alone fails, the others hear of it; where all take part, the MPI has raised the error.
  [[nodiscard]] int run() {
    if (const int status = agree_on_tags(); status != MPI_SUCCESS) return status;
    if (const int status = guarded(call_, [&] { find_decision(); }); status != MPI_SUCCESS) return raise_here(status);
    if (watchers_.decision != nullptr) come_ = Clock::now();
    if (const int status = decide(); status != MPI_SUCCESS) return status;
    if (const int status = join(); status != MPI_SUCCESS) return status;
    if (const int status = guarded(call_, [&] { find_watchers(); }); status != MPI_SUCCESS) return raise_here(status);
    stopwatch_.emplace(watchers_, come_);
    return choice_.native() ? run_natively() : run_prepared();
  }

 private:
  // All ranks wait for each other there; so not in a call in which they may not.
  [[nodiscard]] bool all_wait_for_all() const {
    return depends_on_all(call_.collective()) && !call_.function->is_uneven;
  }

  [[nodiscard]] int agree_on_tags() {
    if (!all_wait_for_all()) return communicator_.may_keep_tags() ? MPI_SUCCESS : raise_here(MPI_ERR_OTHER);
    return communicator_.renew_tags(call_.meets_as());
  }

  // By our own code, and by questions to the MPI that raise no error.
  void find_decision() {
    Decided decided = espalier::find_decision(call_, communicator_, *context->selector);
    found_ = decided.found;
    choice_ = decided.choice;
    watchers_.decision = decided.changing;
  }

  // A decision that changes is asked; the ranks may have to agree first.
  [[nodiscard]] int decide() {
    if (watchers_.decision == nullptr) return MPI_SUCCESS;
    const Agreed agreed = agree(call_, communicator_, *watchers_.decision);
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
    found_.by_handles = false;  // it will be ours soon
    if (!communicator_.wants_to_join) communicator_.recent.clear();
    communicator_.wants_to_join = true;
    return MPI_SUCCESS;
  }

  void find_watchers() {
    watchers_.problem_bytes = found_.problem.bytes();
    if (!job_.reports()) return;
    watchers_.bytes = bytes();
    const std::string parameters = parameters_of(choice_);
    watchers_.row = &communicator_.statistics.row(key_of(call_, watchers_.bytes, choice_, parameters));
  }

  // Where not all ranks know the sizes of the blocks, those that this one knows.
  [[nodiscard]] std::size_t bytes() const {
    const bool are_known = !found_.problem.is_uneven || call_.contract().sizes_are_common();
    return are_known || found_.unusual == bad_arguments ? found_.problem.bytes() : said_bytes(job_.mpi, call_);
  }

  // Under a fault-tolerant MPI each call first asks whether the communicator still works.
  void remember(Prepared* prepared, const Buffers& buffers) {
    if (!found_.by_handles || job_.fault_tolerant) return;
    const BufferUse use = use_of_buffers(call_, communicator_.rank());
    if (use > BufferUse::in_place) return;
    const bool in_place = use == BufferUse::in_place;
    RecentCall& recent = recent_place(call_, in_place, communicator_);
    if (!recent.note(call_, in_place, buffers, communicator_.rank(), communicator_.size())) return;
    recent.is_watched = watchers_.want_seconds();
    recent.prepared = prepared;
    recent.watchers = watchers_;
    recent.until = watchers_.decision != nullptr ? watchers_.decision->end() : 0;
  }

  [[nodiscard]] int run_natively() {
    remember(nullptr, {});
    if (found_.unusual != bad_arguments) return run_native(call_, communicator_);
    return run_wrong(call_, communicator_, found_.wrong, [&] { return run_native(call_, communicator_); });
  }

  [[nodiscard]] int run_prepared() {
    Preparation ready;
    int status = guarded(call_, [&] {
      ready = prepare({call_, communicator_, found_, choice_, communicator_.staging});
    });
    if (status == MPI_SUCCESS && ready.staging) status = ready.staging->stage();
    if (status != MPI_SUCCESS) return raise_here(status);
    if (ready.is_repeatable) remember(ready.prepared, ready.buffers);
    stopwatch_->follow(*ready.prepared);
    const Buffers buffers = ready.staging ? ready.staging->buffers() : ready.buffers;
    status = run_own(call_, communicator_, *ready.prepared, buffers);
    if (!ready.staging) return status;
    const int delivered = status == MPI_SUCCESS ? ready.staging->deliver() : MPI_SUCCESS;
    communicator_.staging.release_if_large();
    return delivered == MPI_SUCCESS ? status : raise(call_, delivered);
  }

  [[nodiscard]] int raise_here(int status) { return raise_for_all(call_, communicator_, status); }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  Classified found_;
  Choice choice_;
  Watchers watchers_;
  Clock::time_point come_;
  std::optional<Stopwatch> stopwatch_;  // until the end of this
};

int do_on_known(const Call& call, PreparedCommunicator& communicator) {
  return communicator.is_between_groups() ? pass_on_between_groups(call, communicator)
                                          : ColdCall(call, communicator).run();
}

int do_on_unknown_communicator(const Call& call) {
  const Communicators::Found found = find_communicator(call, context->communicators);
  if (found.raised != MPI_SUCCESS) return found.raised;
  if (found.communicator == nullptr) return pass_on_unknown(call);
  found.communicator->begin_call();
  return do_on_known(call, static_cast<PreparedCommunicator&>(*found.communicator));
}

}  // namespace

int do_cold_call(Call call, PreparedCommunicator* known) {
  return known != nullptr ? do_on_known(call, *known) : do_on_unknown_communicator(call);
}

int do_watched_call(Call call, PreparedCommunicator& communicator, const RecentCall& recent) {
  Stopwatch stopwatch(recent.watchers);
  if (recent.prepared == nullptr) return run_native(call, communicator);
  stopwatch.follow(*recent.prepared);
  return run_own(call, communicator, *recent.prepared, recent.buffers(call));
}

int do_after_failure(const Call& call, Communicator& communicator, const Prepared& prepared, int status) {
  if (!prepared.failed()) return raise(call, status);
  switch (prepared.ended_by()) {
    case CallState::goes_on: return raise_for_all(call, communicator, status);
    case CallState::failed_elsewhere: return raise(call, status);
    case CallState::out_of_step: return raise_out_of_step(call, communicator);
    case CallState::broken: return call.function->native(communicator.job().mpi, call);  // which raises what is wrong
  }
  return MPI_ERR_INTERN;
}

}  // namespace espalier
