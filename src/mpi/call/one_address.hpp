// SPDX-License-Identifier: Apache-2.0
// Which calls an MPI refuses because input and output begin at one address. What it accepts must run on our schedules,
// since the other ranks do not know of it: a rank with nothing may well give one address twice. (Read off Open MPI 4
// and 5 and MPICH 4 and 5; a test asks each.)
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// Known without a look at the blocks: see also refuses_own_block().
[[nodiscard]] inline bool refuses_one_address(const Call& call, bool is_open_mpi) {
  const Contract& contract = call.contract();
  if (is_open_mpi) {
    const bool is_blocking = call.function->form == CallForm::blocking;
    return contract.collective == Collective::reduce || (contract.collective == Collective::allreduce && is_blocking);
  }
  if (contract.reduces || !call.function->is_uneven) return true;
  if (contract.division != Division::by_pair) return false;
  const bool have_one_type =
      call.sent.types != nullptr ? call.sent.types == call.received.types : call.sent.type == call.received.type;
  return have_one_type && call.sent.counts == call.received.counts;
}

// Where blocks have sizes of their own and each rank gives itself one: whether it lies where it shall go.
[[nodiscard]] inline bool refuses_own_block(const void* given, const void* gotten, std::size_t bytes,
                                            bool is_open_mpi) {
  return !is_open_mpi && bytes > 0 && given == gotten;
}

}  // namespace espalier
