// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/job.hpp"

#include "mpi/job/pair_fabric.hpp"
#include "transport/fabric/fabric.hpp"
#include "transport/shm/segment.hpp"
#include "transport/shm/shm_node.hpp"

namespace espalier {

Job::Job(const EspalierHost& mpi_host, const Native& native) : host(mpi_host), mpi(native), contiguity(mpi) {}
Job::~Job() = default;

}  // namespace espalier
