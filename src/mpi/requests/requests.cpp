// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/requests.hpp"

#include <atomic>
#include <mutex>

#include "mpi/job/yielding_calls.hpp"
#include "mpi/requests/progress_hook.hpp"
#include "transport/fabric/fabric.hpp"

namespace espalier {

namespace {

// Others may need to receive from this process although no run of its own is under way, after a lane has failed: so it
// is looked for, but seldom.
void look_after_fabric() noexcept {
  static std::atomic<unsigned> asked = 0;
  constexpr unsigned seldom = 64;
  Fabric* const fabric = requests().fabric;
  if (fabric == nullptr || asked.fetch_add(1, std::memory_order_relaxed) % seldom != 0) return;
  const std::unique_lock guard(fabric->lock(), std::try_to_lock);
  if (!guard.owns_lock() || !fabric->is_used()) return;
  (void)fabric->progress();
  fabric->watch();
}

bool advance_runs() {
  look_after_fabric();
  return requests().runs.poll();
}

bool make_to_self(const Native& mpi, MPI_Comm& to_self) {
  return mpi.Comm_dup(MPI_COMM_SELF, &to_self) == MPI_SUCCESS &&
         mpi.Comm_set_errhandler(to_self, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

}  // namespace

void open_requests(const Job& job) {
  Requests& all = requests();
  all.fabric = job.fabric.get();
  const bool is_hooked = offers_progress_hook(job) && (all.fabric == nullptr || will_go_on(job));
  const int here = is_hooked && !job.fault_tolerant && make_to_self(job.mpi, all.to_self);
  int everywhere = 0;
  int level = MPI_THREAD_SINGLE;
  job.mpi.Query_thread(&level);
  all.many_threads = level == MPI_THREAD_MULTIPLE;
  const int status = yielding_allreduce(job.mpi, &here, &everywhere, 1, MPI_INT, MPI_MIN, job.traffic);
  all.are_possible = status == MPI_SUCCESS && everywhere != 0;
}

bool will_go_on(const Job& job) {
  Requests& all = requests();
  if (all.are_hooked.load(std::memory_order_acquire)) [[likely]]
    return true;
  const std::lock_guard lock(all.hooking);
  if (!all.are_hooked) all.are_hooked = hook_into_progress(job, advance_runs);
  return all.are_hooked;
}

void close_requests(const Job& job) {
  Requests& all = requests();
  all.are_possible = false;
  if (all.are_hooked.exchange(false)) leave_progress(job);
  if (all.to_self != MPI_COMM_NULL) job.mpi.Comm_free(&all.to_self);
}

}  // namespace espalier
