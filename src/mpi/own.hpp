// SPDX-License-Identifier: Apache-2.0
// Runs a call on a schedule of ours: prepares it, if it is not prepared yet, and deals with unusual layouts.
#pragma once

#include <functional>

#include "mpi/classify.hpp"
#include "mpi/communicator.hpp"

namespace espalier {

struct OwnCall {
  const Call& call;
  Communicator& communicator;  // has joined
  const Classified& found;
  const Choice& choice;  // not native
};

// Calls `repeatable`, before it begins, with what does this very call again if its buffers are handed over as they are.
// Returns an MPI code.
[[nodiscard]] int do_own(const OwnCall& own, const std::function<void(Prepared&)>& repeatable);

// What the collectives share: copies of the communicator's own, and what is prepared for such calls.
[[nodiscard]] SelfCopy self_copy_of(const Communicator& communicator);
[[nodiscard]] Prepared& find_or_prepare(const OwnCall& own, const PreparedKey& key,
                                        const std::function<Prepared::Setup()>& setup);
[[nodiscard]] Prepared::Setup basic_setup(const OwnCall& own, const PreparedKey& key);

}  // namespace espalier
