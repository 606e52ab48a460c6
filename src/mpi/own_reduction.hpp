// SPDX-License-Identifier: Apache-2.0
// Reductions on a schedule of ours.
#pragma once

#include "mpi/own.hpp"

namespace espalier {

[[nodiscard]] int do_own_reduction(const OwnCall& own, const std::function<void(Prepared&)>& repeatable);

// What all collectives of ours share.
[[nodiscard]] SelfCopy self_copy_of(const Communicator& communicator);
[[nodiscard]] Prepared& find_or_prepare(const OwnCall& own, const PreparedKey& key,
                                        const std::function<Prepared::Setup()>& setup);
[[nodiscard]] Prepared::Setup basic_setup(const OwnCall& own, const PreparedKey& key);

}  // namespace espalier
