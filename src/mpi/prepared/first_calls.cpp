// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/first_calls.hpp"

#include "select/alternatives.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_bytes_of_all = 4096;

// Natively nobody would wait for the system there, so there is time.
bool is_fast_natively(const Job& job) { return job.is_one_node && !job.crowded; }

// The user has not said what is to be done from the first call on; and other policies begin to learn with it.
bool may_wait(const Job& job, Collective collective) {
  const TuningPolicy policy = job.settings.policy;
  const bool is_default = policy == TuningPolicy::race || policy == TuningPolicy::estimate;
  return is_default && !job.settings.forces(collective) && !job.has_laws;
}

}  // namespace

// Where the order of additions shows, all calls of a program give the same bits; two ranks can add in one order only.
bool begins_natively(const Job& job, const Problem& problem, Rank size) {
  if (!is_fast_natively(job) || !may_wait(job, problem.collective) || problem.is_uneven) return false;
  if (problem.bytes() > max_bytes_of_all / static_cast<std::size_t>(size)) return false;
  return size == 2 || !is_bound_to_order(problem, job.settings.reproducible);
}

const char* count_first_call(PreparedCommunicator& communicator, const Problem& problem) {
  if (!has_first_calls(communicator, problem.collective)) return nullptr;
  if (!begins_natively(communicator.job(), problem, communicator.size())) return nullptr;
  ++communicator.first_calls(problem.collective);
  return "short, and among the first of its kind on the communicator";
}

}  // namespace espalier
