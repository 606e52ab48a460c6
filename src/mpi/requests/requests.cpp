// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/requests.hpp"

#include "mpi/requests/progress_hook.hpp"

namespace espalier {

namespace {

bool advance_runs() { return requests().runs.poll(); }

bool make_to_self(const Native& mpi, MPI_Comm& to_self) {
  return mpi.Comm_dup(MPI_COMM_SELF, &to_self) == MPI_SUCCESS &&
         mpi.Comm_set_errhandler(to_self, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

}  // namespace

void open_requests(const Job& job) {
  Requests& all = requests();
  const int here = !job.fault_tolerant && make_to_self(job.mpi, all.to_self) && hook_into_progress(job, advance_runs);
  int everywhere = 0;
  int level = MPI_THREAD_SINGLE;
  job.mpi.Query_thread(&level);
  all.many_threads = level == MPI_THREAD_MULTIPLE;
  const int status = job.mpi.Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, job.traffic);
  all.are_possible = status == MPI_SUCCESS && everywhere != 0;
}

void close_requests(const Job& job) {
  Requests& all = requests();
  all.are_possible = false;
  leave_progress(job);
  if (all.to_self != MPI_COMM_NULL) job.mpi.Comm_free(&all.to_self);
}

}  // namespace espalier
