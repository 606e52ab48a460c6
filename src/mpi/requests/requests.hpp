// SPDX-License-Identifier: Apache-2.0
// What all requests of this process share. Requests run inside the MPI's own progress, so there are some only where it
// offers a hook for that; elsewhere nonblocking and persistent collectives are the native MPI's.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>

#include "mpi/job/job.hpp"
#include "mpi/requests/active_runs.hpp"
#include "mpi/requests/counted_requests.hpp"
#include "mpi/requests/failures.hpp"
#include "mpi/requests/persistent_handles.hpp"

namespace espalier {

struct Requests {
  bool are_possible = false;
  bool many_threads = false;  // may be at it at once
  std::mutex hooking;
  std::atomic<bool> are_hooked = false;
  ActiveRuns runs;
  MPI_Comm to_self = MPI_COMM_NULL;  // this process alone; returns errors
  PersistentHandles persistent;
  CountedRequests counted;
  Failures failures;
  Fabric* fabric = nullptr;  // null: there is none
};

// Never destroyed, as the MPI may call its hook at any time; and there without asking for memory, as every wait asks
// here.
[[nodiscard]] inline Requests& requests() {
  alignas(Requests) static std::byte memory[sizeof(Requests)];
  static auto& all = *new (memory) Requests;
  return all;
}

// At start, on all ranks alike; and at the end.
void open_requests(const Job& job);
void close_requests(const Job& job);

// Before a run begins that goes on behind a request: from the first one on the MPI's progress leads here. False: there
// was no memory for that.
[[nodiscard]] bool will_go_on(const Job& job);

}  // namespace espalier
