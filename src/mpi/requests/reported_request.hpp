// SPDX-License-Identifier: Apache-2.0
// Calls that return a request, as the report has them.
#pragma once

#include "mpi/call/report_key.hpp"
#include "mpi/calls/context.hpp"

namespace espalier {

// After the function of such a call, which took so long and returned this MPI code: finds the row of what the call runs
// as, for the request, too. Of a persistent call each start is one, so that the function itself is none.
void report_request(const Call& call, const RanAs& ran_as, int status, Clock::duration taken);

// Does the work of the function, which returns an MPI code and may still change what the call runs as.
template <class Work>
[[nodiscard]] int do_reported(const Call& call, const RanAs& ran_as, Work work) {
  if (!context->job.reports()) return work();
  const auto begin = Clock::now();
  const int status = work();
  report_request(call, ran_as, status, Clock::now() - begin);
  return status;
}

// Hands on a call unchanged. Returns an MPI code.
[[nodiscard]] int pass_on_request(const Call& call, const char* reason);

// The same of functions that are never ours in this job. `caller`: where the call returns to.
[[nodiscard]] int pass_on_request_from(const Call& call, const void* caller, const char* reason);

}  // namespace espalier
