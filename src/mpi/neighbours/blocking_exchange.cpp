// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/blocking_exchange.hpp"

#include <optional>

#include "mpi/call/addressed.hpp"
#include "mpi/call/reasons.hpp"
#include "mpi/calls/blocking_call.hpp"
#include "mpi/calls/enter.hpp"
#include "mpi/calls/pass_on.hpp"
#include "mpi/calls/run_call.hpp"
#include "mpi/calls/stopwatch.hpp"
#include "mpi/neighbours/meeting.hpp"
#include "mpi/neighbours/prepared_exchange.hpp"

namespace espalier {

namespace {

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

// Of a call that was not seen lately.
class BlockingExchange final : public BlockingWork {
 public:
  BlockingExchange(const Call& call, PreparedCommunicator& communicator)
      : call_(call), communicator_(communicator), job_(communicator.job()) {}

  [[nodiscard]] int agree(AgreedCall& agreed) override {
    if (const int status = communicator_.renew_tags(call_.meets_as()); status != MPI_SUCCESS) return status;
    if (const int status = meet_neighbours(communicator_, call_.meets_as()); status != MPI_SUCCESS) return status;
    if (const char* const reason = reason_for_native(communicator_, CallForm::blocking)) {
      agreed.ran_as = ran_natively(reason);
      return MPI_SUCCESS;
    }
    const int status =
        guarded(call_, [&] { blocks_ = std::make_unique<NeighbourBlocks>(job_, call_, meeting().neighbourhood); });
    agreed.ran_as = status == MPI_SUCCESS && !blocks_->are_right() ? ran_natively(bad_arguments, why::looks_wrong)
                                                                   : ran_as(meeting());
    return status == MPI_SUCCESS ? status : raise_for_all(call_, communicator_, status);
  }

  [[nodiscard]] std::optional<std::size_t> bytes(const RanAs& ran_as) const override {
    return ran_as.native() ? std::nullopt : std::optional(given_bytes(job_.mpi, call_));
  }

  [[nodiscard]] Preparation prepare() override {
    const HaloRoutes routes = routes_of_call(meeting(), blocks_->sides(), CallForm::blocking);
    const halo::Part part = part_of(communicator_.rank(), meeting().neighbourhood, routes, blocks_->sides());
    return prepare_exchange({.communicator = communicator_, .part = part, .form = CallForm::blocking},
                            std::move(blocks_));
  }

  void remember(Prepared* prepared, const Buffers& buffers, const Watchers& watchers) noexcept override {
    if (prepared == nullptr) return;
    RecentCall& recent = PlacesOfCall(call_, meeting(), communicator_).free_or_first();
    recent = {};
    if (!recent.note(call_, false, buffers, meeting().named_places(call_))) return;
    recent.is_watched = watchers.want_seconds();
    recent.prepared = prepared;
    recent.watchers = watchers;
  }

 private:
  [[nodiscard]] const NeighbourMeeting& meeting() const { return *communicator_.neighbours; }

  const Call& call_;
  PreparedCommunicator& communicator_;
  const Job& job_;
  std::unique_ptr<NeighbourBlocks> blocks_;
};

[[nodiscard]] int do_cold_exchange(const Call& call, PreparedCommunicator& communicator) {
  BlockingExchange work(call, communicator);
  return do_blocking_call(call, communicator, work);
}

[[nodiscard]] int exchange_on(const Call& call, PreparedCommunicator& communicator) {
  communicator.begin_call();
  const NeighbourMeeting* const meeting = communicator.neighbours.get();
  if (meeting == nullptr || !meeting->has_buffers(call)) return do_cold_exchange(call, communicator);
  const RecentCall* const recent = PlacesOfCall(call, *meeting, communicator).remembered();
  if (recent == nullptr) return do_cold_exchange(call, communicator);
  std::optional<Stopwatch> stopwatch;
  if (recent->is_watched) stopwatch.emplace(recent->watchers, account_of(communicator.job(), call));
  return run_prepared(call, communicator, *recent->prepared, recent->buffers(call));
}

}  // namespace

int exchange_with_neighbours(const Call& call, const void* caller) {
  if (context->job.fabric == nullptr) return pass_on(call, caller, why::no_lanes);
  const auto on_communicator = [&](PreparedCommunicator& communicator) { return exchange_on(call, communicator); };
  const auto on_unknown = [&] {
    const auto pass_on = [&](const char* reason) { return pass_on_unknown(call, reason); };
    return enter_unknown(call, pass_on, on_communicator);
  };
  return enter(call, caller, on_unknown, on_communicator);
}

}  // namespace espalier
