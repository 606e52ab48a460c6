// SPDX-License-Identifier: Apache-2.0
// Decides what is done with a call that was not seen lately, does it, and remembers it where that is safe.
#include <chrono>
#include <functional>

#include "algorithms/algorithm.hpp"
#include "mpi/intercept.hpp"
#include "mpi/own.hpp"
#include "settings/number.hpp"

namespace espalier {

namespace {

// Adds the time from its making to its end to a row of the report, if there is one.
class Stopwatch {
 public:
  Stopwatch(StatisticsRow* row, std::size_t bytes) : row_(row), bytes_(bytes) {
    if (row_ != nullptr) start_ = Clock::now();
  }
  ~Stopwatch() {
    if (row_ == nullptr) return;
    row_->calls += 1;
    row_->bytes += bytes_;
    row_->nanoseconds += static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - start_).count());
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  StatisticsRow* const row_;
  const std::size_t bytes_;
  Clock::time_point start_;
};

std::string text_of(const Choice& choice) {
  if (choice.native()) return {};
  std::string text = "window=" + std::to_string(choice.cut.window);
  if (choice.cut.segment_bytes > 0) text = "segment=" + format_size(choice.cut.segment_bytes) + "," + text;
  if (choice.algorithm->takes_radix) text += ",radix=" + std::to_string(choice.radix);
  return text;
}

StatisticsRow* row_of(Communicator& communicator, const Problem& problem, const Choice& choice) {
  if (!context->reports()) return nullptr;
  return &communicator.statistics.row({
      .collective = problem.collective,
      .size_class = size_class_of(problem.bytes()),
      .algorithm = choice.native() ? "native" : std::string(choice.algorithm->name),
      .parameters = text_of(choice),
      .reason = choice.reason,
  });
}

// What is done with a call. Made by our own code and by questions to the MPI that raise no error.
struct Decision {
  Classified found;
  Choice choice;
  StatisticsRow* row = nullptr;
};

Choice choose(Communicator& communicator, const Classified& found) {
  if (found.unusual != nullptr) return {.reason = found.unusual};
  if (communicator.unusual() != nullptr) return {.reason = communicator.unusual()};
  if (communicator.is_broken()) return {.reason = "a communicator that was revoked, or lost a process"};
  return context->selector->choose(found.problem, communicator.shape());
}

// Under a fault-tolerant MPI each call first asks whether the communicator still works.
void remember(const Call& call, Communicator& communicator, const Problem& problem, Prepared* prepared,
              StatisticsRow* row) {
  if (context->fault_tolerant) return;
  communicator.recent.place_of(call) = {.count = call.count,
                                        .type = call.type,
                                        .op = call.op,
                                        .root = call.root,
                                        .collective = call.collective,
                                        .in_place = problem.in_place,
                                        .prepared = prepared,
                                        .row = row,
                                        .bytes = problem.bytes()};
}

int decide(const Call& call, Communicator& communicator, Decision& decision) {
  return guarded(call, [&] {
    const BufferUse use = use_of_buffers(call, communicator.rank(), context->tolerates_aliases);
    decision.found = classify(context->mpi, call, communicator.rank(), communicator.size(), use);
    decision.choice = choose(communicator, decision.found);
  });
}

// The ranks agree on what makes traffic of ours possible, or on going on without.
int join(Communicator& communicator, Decision& decision) {
  if (decision.choice.native()) return MPI_SUCCESS;
  const int status = communicator.join();
  if (communicator.unusual() != nullptr) decision.choice = {.reason = communicator.unusual()};
  return status;
}

// A call that looks wrong here. If it is, the others' calls may still be right, and wait for this rank; also if the
// application leaves the call by an exception.
int do_wrong(const Call& call, Communicator& communicator) {
  struct Announcement {
    Communicator& communicator;
    int status = MPI_ERR_OTHER;
    ~Announcement() {
      if (status != MPI_SUCCESS) communicator.announce_failure(MPI_ERR_OTHER);
    }
  } announcement{communicator};
  return announcement.status = do_native(call, communicator);
}

int do_decided(const Call& call, Communicator& communicator, const Decision& decision) {
  const auto& [found, choice, row] = decision;
  if (!choice.native()) {
    const auto keep = [&, &found = found, row = row](Prepared& prepared) {
      if (found.by_handles) remember(call, communicator, found.problem, &prepared, row);
    };
    return do_own({call, communicator, found, choice}, std::ref(keep));  // a reference takes no memory
  }
  if (found.by_handles) remember(call, communicator, found.problem, nullptr, row);
  return found.unusual == bad_arguments ? do_wrong(call, communicator) : do_native(call, communicator);
}

int decide_and_do_known(const Call& call, Communicator& communicator) {
  Decision decision;
  int status = communicator.renew_tags();
  if (status != MPI_SUCCESS) return status;
  status = decide(call, communicator, decision);
  if (status != MPI_SUCCESS) return raise_for_all(call, communicator, status);
  status = join(communicator, decision);
  if (status != MPI_SUCCESS) return status;
  status = guarded(call, [&] { decision.row = row_of(communicator, decision.found.problem, decision.choice); });
  if (status != MPI_SUCCESS) return raise_for_all(call, communicator, status);
  const Stopwatch stopwatch(decision.row, decision.found.problem.bytes());
  return do_decided(call, communicator, decision);
}

// A communicator that nothing can be kept for is left to the native MPI.
Communicators::Found find_communicator(const Call& call) {
  Communicators::Found found;
  if (call.comm == MPI_COMM_NULL) return found;
  (void)guarded(call, [&] { found = context->communicators.find_or_add(context->mpi, call.comm); });
  return found;
}

int decide_and_do_unknown(const Call& call) {
  const Communicators::Found found = find_communicator(call);
  if (found.raised != MPI_SUCCESS) return found.raised;
  if (found.communicator == nullptr) return forward(context->mpi, call);
  found.communicator->begin_call();
  return decide_and_do_known(call, *found.communicator);
}

}  // namespace

int decide_and_do(Call call, Communicator* known) {
  return known != nullptr ? decide_and_do_known(call, *known) : decide_and_do_unknown(call);
}

int do_timed(Call call, Communicator& communicator, const RecentCall& recent) {
  // A report wants to know why buffers are missing, too.
  if (recent.prepared != nullptr && !has_buffers(call, communicator.rank()))
    return decide_and_do_known(call, communicator);
  const RecentCall decided = recent;
  const Stopwatch stopwatch(decided.row, decided.bytes);
  if (decided.prepared == nullptr) return do_native(call, communicator);
  const BufferUse use = decided.in_place ? BufferUse::in_place : BufferUse::separate;
  return do_own(call, communicator, *decided.prepared, buffers_of(call, use));
}

int do_after_failure(const Call& call, Communicator& communicator, const Prepared& prepared, int status) {
  if (!prepared.failed()) return raise(call, communicator, status);
  switch (prepared.ended_by()) {
    case CallState::goes_on: return raise_for_all(call, communicator, status);
    case CallState::failed_elsewhere: return raise(call, communicator, status);
    case CallState::broken: return forward(context->mpi, call);  // which raises what is wrong with it
  }
  return MPI_ERR_INTERN;
}

}  // namespace espalier
