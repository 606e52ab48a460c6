// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/account.hpp"

#include "mpi/call/caller_of_binding.hpp"

namespace espalier {

CallAccount account_of(const Job& job, const Call& call) noexcept {
  if (!job.reports()) return {};
  CallSums* const collective = &job.totals->sums[call.function->logged_place];
  if (job.sites == nullptr || call.site.address == nullptr) return {collective};
  return {collective, &job.sites->at(address_in_program(call.site), call.function->name)};
}

}  // namespace espalier
