// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/agree.hpp"

#include <optional>

#include "mpi/calls/run_call.hpp"
#include "mpi/calls/sharing.hpp"
#include "mpi/calls/tell_choice.hpp"

namespace espalier {

namespace {

// Where a step of this rank alone fails, the others learn of it; where all take part, the MPI has raised the error.
class Agreement {
 public:
  Agreement(const Call& call, PreparedCommunicator& communicator, Decision& decision)
      : call_(call), communicator_(communicator), decision_(decision) {}

  [[nodiscard]] Agreed run() {
    for (Asked asked = Asked::together;; asked = Asked::again) {
      PolicyStep step;
      if (const int status = by_this_rank([&] { step = decision_.next(asked); }); status != MPI_SUCCESS)
        return {status};
      if (const auto* run = std::get_if<RunCalls>(&step)) return {.choice = run->choice};
      const int status = std::visit([this](const auto& one) { return do_step(one); }, step);
      if (status != MPI_SUCCESS) return {status};
      if (communicator_.unusual() != nullptr)
        return {.choice = {.reason = communicator_.unusual()}, .is_undecided = true};
    }
  }

 private:
  template <class Work>
  [[nodiscard]] int by_this_rank(Work work) {
    const int status = guarded(call_, work);
    return status == MPI_SUCCESS ? status : raise_for_all(call_, communicator_, status);
  }

  [[nodiscard]] int do_step(const RunCalls& /*is no exchange*/) { return MPI_SUCCESS; }

  [[nodiscard]] int do_step(const Diverged& /*diverged*/) {
    log_not_alike(call_, communicator_);
    return MPI_SUCCESS;
  }

  [[nodiscard]] int do_step(const ReadNotes& step) {
    return by_this_rank([&] { decision_.take(communicator_.decisions.read_notes(step)); });
  }

  [[nodiscard]] int do_step(const SumOverRanks& step) {
    if (step.work != nullptr) {
      const auto work = [&] { step.work->do_part(communicator_.rank(), communicator_.size()); };
      if (const int status = by_this_rank(work); status != MPI_SUCCESS) return status;
    }
    return exchange([&] { return share_sums(communicator_, step.numbers); }, Sums{});
  }

  [[nodiscard]] int do_step(const ReceiveFromRoot& step) {
    return exchange([&] { return share_from_root(communicator_, step.numbers, decision_.root(), step.broadcast); },
                    NumbersOfRoot{});
  }

  // `share()` says what ran. Nothing is shared on an unusual communicator.
  template <class Share>
  [[nodiscard]] int exchange(Share share, const PolicyResult& result) {
    int status = communicator_.join(call_.meets_as());
    if (status != MPI_SUCCESS || communicator_.unusual() != nullptr) return status;
    std::optional<Shared> shared;
    status = by_this_rank([&] { shared.emplace(share()); });
    if (status != MPI_SUCCESS) return status;
    if (shared->status != MPI_SUCCESS || shared->run.failed())
      return do_after_failure(call_, communicator_, shared->run, shared->status);
    return by_this_rank([&] { decision_.take(result); });
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  Decision& decision_;
};

// A tool may look at any time, from any thread; the decision is this thread's.
void note_saved(const Call& call, const Job& job, Decision& decision) {
  (void)guarded(call, [&] {
    job.totals->saved_seconds[call.function->logged_place].fetch_add(decision.newly_saved(), std::memory_order_relaxed);
  });
}

}  // namespace

Agreed agree(const Call& call, PreparedCommunicator& communicator, Decision& decision) {
  const Agreed agreed = Agreement(call, communicator, decision).run();
  const Job& job = communicator.job();
  if (agreed.status != MPI_SUCCESS) return agreed;
  if (job.settings.mpi_t == ToolVariables::timed) note_saved(call, job, decision);
  if (job.settings.verbose != Verbosity()) {
    (void)guarded(call, [&] { tell_choice(call, communicator, decision, agreed.choice); });
  }
  return agreed;
}

}  // namespace espalier
