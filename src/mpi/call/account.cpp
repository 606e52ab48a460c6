// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/account.hpp"

#include "mpi/call/caller_of_binding.hpp"

namespace espalier {

CallAccount account_of(const Job& job, const Call& call) noexcept {
  CallAccount account;
  if (job.settings.mpi_t == ToolVariables::timed) account.collective = &job.totals->sums[call.function->logged_place];
  if (job.sites != nullptr && call.site.address != nullptr) {
    account.site = &job.sites->at(address_in_program(call.site), call.function->name);
  }
  return account;
}

}  // namespace espalier
