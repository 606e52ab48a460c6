// SPDX-License-Identifier: Apache-2.0
// Decides what is done with a call that was not seen lately, does it, and remembers it where that is safe.
#include <chrono>
#include <cstdio>

#include "algorithms/algorithm.hpp"
#include "mpi/intercept.hpp"
#include "mpi/own.hpp"
#include "settings/number.hpp"

namespace espalier {

namespace {

// Adds the time from its making to its end to a row of the report, if there is one.
class Stopwatch {
 public:
  Stopwatch(Row* row, std::size_t bytes) : row_(row), bytes_(bytes) {
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
  Row* const row_;
  const std::size_t bytes_;
  Clock::time_point start_;
};

std::string text_of(const Choice& choice) {
  if (choice.native()) return {};
  std::string text = "window=" + std::to_string(choice.parameters.window);
  if (choice.parameters.segment_bytes > 0)
    text = "segment=" + format_size(choice.parameters.segment_bytes) + "," + text;
  if (choice.algorithm->takes_radix) text += ",radix=" + std::to_string(choice.parameters.radix);
  return text;
}

Row* row_of(Communicator& communicator, const Problem& problem, const Choice& choice) {
  if (!context->reports()) return nullptr;
  return &communicator.statistics.row({
      .collective = problem.collective,
      .size_class = size_class_of(problem.bytes()),
      .algorithm = choice.native() ? "native" : std::string(choice.algorithm->name),
      .parameters = text_of(choice),
      .reason = choice.reason,
  });
}

Choice choose(Communicator& communicator, const Classified& found) {
  if (found.unusual != nullptr) return {.reason = found.unusual};
  if (communicator.unusual() != nullptr) return {.reason = communicator.unusual()};
  const Choice choice = context->selector->choose(found.problem, communicator.shape());
  if (choice.native() || communicator.join()) return choice;
  return {.reason = communicator.unusual()};
}

void remember(const Call& call, Communicator& communicator, const Problem& problem, Prepared* prepared, Row* row) {
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

int decide_and_do_known(const Call& call, Communicator& communicator) {
  const Context& here = *context;
  const BufferUse use = use_of_buffers(call, communicator.rank(), here.tolerates_aliases);
  const Classified found = classify(here.mpi, call, communicator.rank(), communicator.size(), use);
  const Choice choice = choose(communicator, found);
  Row* const row = row_of(communicator, found.problem, choice);
  if (choice.native()) {
    if (found.by_handles) remember(call, communicator, found.problem, nullptr, row);
    const Stopwatch stopwatch(row, found.problem.bytes());
    return do_native(call, communicator);
  }
  const Stopwatch stopwatch(row, found.problem.bytes());
  return do_own({call, communicator, found, choice}, [&](Prepared& prepared) {
    if (found.by_handles) remember(call, communicator, found.problem, &prepared, row);
  });
}

Communicator* find_communicator(const Call& call) {
  return call.comm == MPI_COMM_NULL ? nullptr : context->communicators.find_or_add(context->mpi, call.comm);
}

// What went wrong within ourselves: memory ran out, or an algorithm contradicted itself. The other ranks may be on
// their way already, so there is no going back to the native MPI.
int raise_exception(const Call& call, const char* what, int code) {
  std::fprintf(stderr, "espalier: rank %d: %s failed: %s\n", context->world_rank, name_of(call.collective).data(),
               what);
  context->mpi.Comm_call_errhandler(call.comm, code);
  return code;
}

template <class Work>
int without_exceptions(const Call& call, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return raise_exception(call, "out of memory", MPI_ERR_NO_MEM);
  } catch (const std::exception& error) {
    return raise_exception(call, error.what(), MPI_ERR_INTERN);
  }
}

}  // namespace

int decide_and_do(Call call, Communicator* known) noexcept {
  return without_exceptions(call, [&] {
    Communicator* const communicator = known != nullptr ? known : find_communicator(call);
    return communicator == nullptr ? forward(context->mpi, call) : decide_and_do_known(call, *communicator);
  });
}

int do_timed(Call call, Communicator& communicator, const RecentCall& recent) noexcept {
  return without_exceptions(call, [&] {
    // A report wants to know why buffers are missing, too.
    if (recent.prepared != nullptr && !has_buffers(call, communicator.rank()))
      return decide_and_do_known(call, communicator);
    const RecentCall decided = recent;
    const Stopwatch stopwatch(decided.row, decided.bytes);
    if (decided.prepared == nullptr) return do_native(call, communicator);
    const BufferUse use = decided.in_place ? BufferUse::in_place : BufferUse::separate;
    return do_own(call, communicator, *decided.prepared, buffers_of(call, use));
  });
}

int raise(Communicator& communicator, int code) {
  context->mpi.Comm_call_errhandler(communicator.handle(), code);
  return code;
}

}  // namespace espalier
