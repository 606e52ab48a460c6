// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/progress_hook.hpp"

#include <dlfcn.h>

#include <atomic>

namespace espalier {

namespace {

bool (*the_work)() = nullptr;
std::atomic<bool> is_leaving = false;

template <class Function>
Function look_up(const Job& job, const char* name) {
  return reinterpret_cast<Function>(dlsym(job.host.mpi_handle, name));
}

// Open MPI: how many things got on.
int work_for_open_mpi() { return the_work() ? 1 : 0; }
using OpenMpiHook = int (*)(int (*)());

#if defined(MPICH_VERSION)
// MPICH 5: it asks again until it is told that all is done.
using Thing = struct AsyncThing*;
enum : int { no_progress = 0, done = 1 };
int work_for_mpich(Thing) {
  if (is_leaving.load(std::memory_order_relaxed)) return done;
  (void)the_work();
  return no_progress;
}
using MpichHook = int (*)(int (*)(Thing), void*, int);
constexpr int no_stream = 0x3c000000;

MpichHook mpich_hook(const Job& job) {
  return job.mpi.Request_is_complete != nullptr ? look_up<MpichHook>(job, "PMPIX_Async_start") : nullptr;
}
bool hook_into_mpich(const Job& job) { return mpich_hook(job)(work_for_mpich, nullptr, no_stream) == MPI_SUCCESS; }
#else
OpenMpiHook mpich_hook(const Job&) { return nullptr; }
bool hook_into_mpich(const Job&) { return false; }
#endif

OpenMpiHook open_mpi_hook(const Job& job) { return look_up<OpenMpiHook>(job, "opal_progress_register"); }

}  // namespace

bool offers_progress_hook(const Job& job) { return open_mpi_hook(job) != nullptr || mpich_hook(job) != nullptr; }

bool hook_into_progress(const Job& job, bool (*work)()) {
  the_work = work;
  if (const auto start = open_mpi_hook(job)) return start(work_for_open_mpi) == 0;
  return hook_into_mpich(job);
}

void leave_progress(const Job& job) {
  is_leaving.store(true, std::memory_order_relaxed);
  if (const auto stop = look_up<OpenMpiHook>(job, "opal_progress_unregister")) (void)stop(work_for_open_mpi);
}

}  // namespace espalier
