// SPDX-License-Identifier: Apache-2.0
// Persistent collectives. Unlike nonblocking ones they may agree on tags when they are initialised.
#pragma once

#include "mpi/call/call.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

// The tags of the next persistent request. Collective; returns an MPI code. Null: the ranks have none in common.
[[nodiscard]] int find_tags(const Call& call, PreparedCommunicator& communicator,
                            std::shared_ptr<PersistentTags>& tags);
inline constexpr char no_tags[] = "no tags are left that all ranks have in common";

// `caller`: where the call returns to. Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int init_persistent(const Call& call, const void* caller);

}  // namespace espalier
