// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/blocking_exchange.hpp"

#include <optional>

#include "mpi/call/addressed.hpp"
#include "mpi/call/report_key.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/calls/decide.hpp"
#include "mpi/calls/pass_on.hpp"
#include "mpi/calls/run_call.hpp"
#include "mpi/calls/stopwatch.hpp"
#include "mpi/neighbours/meeting.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"
#include "mpi/call/reasons.hpp"

namespace espalier {

namespace {

[[nodiscard]] int run_exchange(const Call& call, PreparedCommunicator& communicator, Prepared& prepared,
                               const Buffers& buffers) {
  communicator.prepared.touch(prepared);
  const int status = prepared.run(communicator.call(), buffers);
  if (status == MPI_SUCCESS && !prepared.failed()) [[likely]]
    return status;
  return do_after_failure(call, communicator, prepared, status);
}

// Where calls like one can be remembered: several places, as programs take turns with several exchanges, and one that
// is forgotten takes long to prepare.
class PlacesOfCall {
 public:
  PlacesOfCall(const Call& call, const NeighbourMeeting& meeting, PreparedCommunicator& communicator)
      : call_(call),
        recent_(communicator.recent),
        blocks_(call.function->is_uneven ? NamedBlocks::hash(call, meeting.named_places(call)) : 0) {}

  // Null if it is not.
  [[nodiscard]] RecentCall* remembered() const {
    return find([&](const RecentCall& recent) { return recent.is_for(call_, false); });
  }
  [[nodiscard]] RecentCall& free_or_first() const {
    RecentCall* const free = find([](const RecentCall& recent) { return recent.function == nullptr; });
    return free != nullptr ? *free : place(0);
  }

 private:
  static constexpr int places = 4;

  template <class Fits>
  [[nodiscard]] RecentCall* find(Fits fits) const {
    for (int number = 0; number < places; ++number) {
      if (RecentCall& recent = place(number); fits(recent)) return &recent;
    }
    return nullptr;
  }
  [[nodiscard]] RecentCall& place(int number) const {
    return recent_.place_of(call_, blocks_ + static_cast<std::uintptr_t>(number));
  }

  const Call& call_;
  RecentCalls& recent_;
  const std::uintptr_t blocks_;
};

// One that was not seen lately.
class ColdExchange {
 public:
  ColdExchange(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  // Where a step of this rank alone fails, the others hear of it; where all take part, the MPI has raised the error.
  [[nodiscard]] int run() {
    if (const int status = communicator_.renew_tags(call_.meets_as()); status != MPI_SUCCESS) return status;
    if (const int status = meet_neighbours(communicator_, call_.meets_as()); status != MPI_SUCCESS) return status;
    if (const char* const reason = reason_to_pass_on(); reason != nullptr)
      return pass_on_known(call_, reason, communicator_);
    return run_own_way(*communicator_.neighbours);
  }

 private:
  [[nodiscard]] const char* reason_to_pass_on() const {
    if (communicator_.unusual() != nullptr) return communicator_.unusual();
    if (communicator_.neighbours == nullptr) return communicator_.neighbours_refused;
    return communicator_.neighbours->of(CallForm::blocking).is_ours ? nullptr : why::not_for_us;
  }

  [[nodiscard]] int run_own_way(const NeighbourMeeting& meeting) {
    std::unique_ptr<NeighbourBlocks> blocks;
    int status =
        guarded(call_, [&] { blocks = std::make_unique<NeighbourBlocks>(job_, call_, meeting.neighbourhood); });
    if (status != MPI_SUCCESS) return raise_for_all(call_, communicator_, status);
    if (!blocks->are_right())
      return run_wrong(call_, communicator_, why::looks_wrong,
                       [&] { return pass_on_known(call_, bad_arguments, communicator_); });
    Preparation ready;
    status = guarded(call_, [&] {
      find_watchers(meeting);
      ready = get_ready(meeting, std::move(blocks));
      if (ready.is_repeatable) remember(meeting, ready);
    });
    if (status == MPI_SUCCESS && ready.staging) status = ready.staging->stage();
    return status == MPI_SUCCESS ? run(ready) : raise_for_all(call_, communicator_, status);
  }

  [[nodiscard]] Preparation get_ready(const NeighbourMeeting& meeting, std::unique_ptr<NeighbourBlocks> blocks) {
    const HaloRoutes routes = routes_of_call(meeting, blocks->sides(), CallForm::blocking);
    const halo::Part part = part_of(communicator_.rank(), meeting.neighbourhood, routes, blocks->sides());
    return prepare_exchange({.communicator = communicator_, .part = part, .form = CallForm::blocking},
                            std::move(blocks));
  }

  void find_watchers(const NeighbourMeeting& meeting) {
    if (!job_.reports()) return;
    watchers_.bytes = said_bytes(job_.mpi, call_);
    RowKeyView key = key_of(call_, watchers_.bytes, {.reason = meeting.reason}, {});
    key.algorithm = meeting.packer;
    watchers_.row = &communicator_.statistics.row(key);
  }

  void remember(const NeighbourMeeting& meeting, const Preparation& ready) {
    RecentCall& recent = PlacesOfCall(call_, meeting, communicator_).free_or_first();
    recent = {};
    if (!recent.note(call_, false, ready.buffers, meeting.named_places(call_))) return;
    recent.is_watched = watchers_.want_seconds();
    recent.prepared = ready.prepared;
    recent.watchers = watchers_;
  }

  [[nodiscard]] int run(const Preparation& ready) {
    const Stopwatch stopwatch(watchers_);
    const Buffers buffers = ready.staging ? ready.staging->buffers() : ready.buffers;
    const int status = run_exchange(call_, communicator_, *ready.prepared, buffers);
    if (!ready.staging) return status;
    const int delivered = status == MPI_SUCCESS ? ready.staging->deliver() : MPI_SUCCESS;
    communicator_.staging.release_if_large();
    return delivered == MPI_SUCCESS ? status : raise(call_, delivered);
  }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  Watchers watchers_;
};

[[nodiscard]] int exchange_on(const Call& call, PreparedCommunicator& communicator) {
  communicator.begin_call();
  const NeighbourMeeting* const meeting = communicator.neighbours.get();
  if (meeting == nullptr || !meeting->has_buffers(call)) return ColdExchange(call, communicator).run();
  const RecentCall* const recent = PlacesOfCall(call, *meeting, communicator).remembered();
  if (recent == nullptr) return ColdExchange(call, communicator).run();
  std::optional<Stopwatch> stopwatch;
  if (recent->is_watched) stopwatch.emplace(recent->watchers);
  return run_exchange(call, communicator, *recent->prepared, recent->buffers(call));
}

}  // namespace

int exchange_with_neighbours(const Call& call, const void* caller) {
  const Context& here = *context;
  if (!here.active.load(std::memory_order_acquire) || here.job.host.is_internal(caller) != 0) {
    return call.function->native(here.job.mpi, call);
  }
  if (here.job.fabric == nullptr) return pass_on(call, caller, why::no_lanes);
  Communicator* communicator = here.communicators.find(call.comm);
  if (communicator == nullptr) {
    const Communicators::Found found = find_communicator(call, context->communicators);
    if (found.raised != MPI_SUCCESS) return found.raised;
    communicator = found.communicator;
  }
  if (communicator == nullptr) return pass_on_unknown(call);
  return exchange_on(call, static_cast<PreparedCommunicator&>(*communicator));
}

}  // namespace espalier
