// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/hosts.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "mpi/job/fabric_of_job.hpp"
#include "mpi/job/job.hpp"
#include "mpi/job/yielding_calls.hpp"

namespace espalier {

namespace {

bool wants_hosts(const Job& job) { return job.remembers || may_have_fabric(job); }

// Where this process may run; all processors, if the system does not say.
cpu_set_t own_processors(int cores) {
  cpu_set_t own;
  CPU_ZERO(&own);
  if (sched_getaffinity(0, sizeof own, &own) == 0) return own;
  for (int core = 0; core < std::min(cores, CPU_SETSIZE); ++core) CPU_SET(core, &own);
  return own;
}

// Whether they outnumber the processors on which any of them may run. All get the same answer: it decides what runs.
int learn_whether_crowded(Job& job, MPI_Comm host) {
  int ranks = 1;
  job.mpi.Comm_size(host, &ranks);
  const cpu_set_t own = own_processors(job.cores);
  cpu_set_t all = own;
  const int status = yielding_allreduce(job.mpi, &own, &all, sizeof own, MPI_BYTE, MPI_BOR, host);
  job.crowded = ranks > CPU_COUNT(&all);
  return status;
}

// `host`: of all ranks that share one. Each is known by its first rank.
int learn_of_this_host(Job& job, MPI_Comm host, int& first) {
  job.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (const int status = learn_whether_crowded(job, host); status != MPI_SUCCESS) return status;
  int rank = 0;
  job.mpi.Comm_rank(host, &rank);
  job.is_first_of_host = rank == 0;
  first = job.world_rank;
  return wants_hosts(job) ? yielding_bcast(job.mpi, &first, 1, MPI_INT, 0, host) : MPI_SUCCESS;
}

int report_all(Job& job, const int& first, std::vector<int>& answers) {
  int status = job.mpi.Allgather(&first, 1, MPI_INT, answers.data(), 1, MPI_INT, job.traffic);
  if (status == MPI_SUCCESS) status = yielding_bcast(job.mpi, &job.cores, 1, MPI_INT, 0, job.traffic);
  job.host_of = RankNumbers(std::span<const int>(answers));
  return status;
}

}  // namespace

std::vector<int> room_for_hosts(const Job& job) {
  return std::vector<int>(wants_hosts(job) ? static_cast<std::size_t>(job.world_size) : 0);
}

int find_hosts(Job& job, std::vector<int>& answers) {
  MPI_Comm host = MPI_COMM_NULL;
  int status = job.mpi.Comm_split_type(job.traffic, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  if (status != MPI_SUCCESS) return status;
  int first = 0;
  status = learn_of_this_host(job, host, first);
  job.mpi.Comm_free(&host);
  return status == MPI_SUCCESS && wants_hosts(job) ? report_all(job, first, answers) : status;
}

}  // namespace espalier
