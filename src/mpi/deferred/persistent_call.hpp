// SPDX-License-Identifier: Apache-2.0
// The driver of calls that make a persistent request: agree, then natively, or prepare and make the handle. Unlike
// nonblocking calls they may wait for the other ranks.
#pragma once

#include "mpi/call/report_key.hpp"
#include "mpi/deferred/persistent_run.hpp"

namespace espalier {

// What differs from one kind of call to another.
class PersistentWork {
 public:
  PersistentWork() = default;
  virtual ~PersistentWork() = default;
  PersistentWork(const PersistentWork&) = delete;
  PersistentWork& operator=(const PersistentWork&) = delete;

  // Says what its starts run as: all ranks arrive at the same, by messages to each other where it takes them. Returns
  // an MPI code, whose error the error handler has learnt of. What the ranks say to each other:
  // docs/explanation/in-step.md.
  [[nodiscard]] virtual int agree(RanAs& ran_as) = 0;
  // Local, and only if it is ours. Returns an MPI code, whose error nobody has learnt of; throws on allocation failure.
  [[nodiscard]] virtual int prepare(std::shared_ptr<PersistentRun>& run) = 0;
  // Hands the call to the native MPI. Returns an MPI code.
  [[nodiscard]] virtual int init_natively(const Native& mpi, const Call& call) {
    return call.function->native(mpi, call);
  }
};

// Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int do_persistent_call(const Call& call, PreparedCommunicator& communicator, PersistentWork& work);

// By what the starts of a persistent request of ours are distinguished from those of others.
struct RequestTags {
  std::shared_ptr<PersistentTags> tags;
  std::uint64_t number = 0;
};
// Collective; returns an MPI code, whose error the error handler has learnt of. If the ranks have no tags in common,
// `refused` says why: static text.
[[nodiscard]] int agree_on_tags(const Call& call, PreparedCommunicator& communicator, RequestTags& tags,
                                const char*& refused);

}  // namespace espalier
