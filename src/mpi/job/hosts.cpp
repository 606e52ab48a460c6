// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/hosts.hpp"

#include <unistd.h>

#include "mpi/job/fabric_of_job.hpp"
#include "mpi/job/job.hpp"

namespace espalier {

namespace {

bool wants_hosts(const Job& job) { return job.remembers || may_have_fabric(job); }

// `host`: of all ranks that share one. Each is known by its first rank.
int learn_of_this_host(Job& job, MPI_Comm host, int& first) {
  int ranks = 1;
  job.mpi.Comm_size(host, &ranks);
  job.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  job.crowded = ranks > job.cores;
  first = job.world_rank;
  return wants_hosts(job) ? job.mpi.Bcast(&first, 1, MPI_INT, 0, host) : MPI_SUCCESS;
}

int report_all(Job& job, const int& first) {
  const int status = job.mpi.Allgather(&first, 1, MPI_INT, job.host_of.data(), 1, MPI_INT, job.traffic);
  return status == MPI_SUCCESS ? job.mpi.Bcast(&job.cores, 1, MPI_INT, 0, job.traffic) : status;
}

}  // namespace

void make_room_for_hosts(Job& job) {
  if (wants_hosts(job)) job.host_of.resize(static_cast<std::size_t>(job.world_size));
}

int find_hosts(Job& job) {
  MPI_Comm host = MPI_COMM_NULL;
  int status = job.mpi.Comm_split_type(job.traffic, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  if (status != MPI_SUCCESS) return status;
  int first = 0;
  status = learn_of_this_host(job, host, first);
  job.mpi.Comm_free(&host);
  return status == MPI_SUCCESS && wants_hosts(job) ? report_all(job, first) : status;
}

}  // namespace espalier
