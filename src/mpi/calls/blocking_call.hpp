// SPDX-License-Identifier: Apache-2.0
// The driver of blocking calls that were not seen lately: agree, report, then natively, or prepare, remember and run.
#pragma once

#include "mpi/call/report_key.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/prepared/preparation.hpp"

namespace espalier {

// What the ranks have agreed on.
struct AgreedCall {
  RanAs ran_as;
  Watchers watchers;               // but for the report
  Clock::time_point arrived = {};  // when the call was made, if a decision wants to know
};

// What differs from one kind of call to another.
class BlockingWork {
 public:
  BlockingWork() = default;
  virtual ~BlockingWork() = default;
  BlockingWork(const BlockingWork&) = delete;
  BlockingWork& operator=(const BlockingWork&) = delete;

  // Says what the call runs as: all ranks arrive at the same, by messages to each other where it takes them. Returns an
  // MPI code. This rank's error handler, and the other ranks, have learnt of an error, unless it was the MPI's own in a
  // call in which all take part.
  [[nodiscard]] virtual int agree(AgreedCall& agreed) = 0;
  // For the report, before the call runs. Nothing: only once the MPI has found nothing wrong with it, it may be asked.
  [[nodiscard]] virtual std::optional<std::size_t> bytes(const RanAs& ran_as) const = 0;
  // Local. Throws on allocation failure. If it is not the native MPI's.
  [[nodiscard]] virtual Preparation prepare() = 0;
  // So that the next call that is like it finds what holds. `prepared`: null if that is the native MPI.
  virtual void remember(Prepared* prepared, const Buffers& buffers, const Watchers& watchers) noexcept = 0;
};

// Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int do_blocking_call(const Call& call, PreparedCommunicator& communicator, BlockingWork& work);

}  // namespace espalier
