// SPDX-License-Identifier: Apache-2.0
// A call behind a request, with what was decided and prepared for it, for the next one that is like it.
#pragma once

#include "mpi/prepared/idle.hpp"
#include "mpi/prepared/recent_calls.hpp"

namespace espalier {

struct RepeatedCall : Linked<RepeatedCall> {
  RecentCall recent;
  Choice choice;
  std::unique_ptr<Prepared> prepared;
  std::uint64_t generation = 0;  // of the communicator's decisions

  [[nodiscard]] std::size_t scratch_bytes() const { return prepared->scratch_bytes(); }
};

}  // namespace espalier
