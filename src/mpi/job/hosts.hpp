// SPDX-License-Identifier: Apache-2.0
// Which ranks run on the same host.
#pragma once

#include <vector>

namespace espalier {

struct Job;  // job.hpp

// Memory for the answers of all ranks, before any rank waits for another one. Throws std::bad_alloc.
[[nodiscard]] std::vector<int> room_for_hosts(const Job& job);

// Finds out whether ranks outnumber cores on this one, and where a memory wants to know it, which ranks share a host.
// `answers`: that memory. Collective over the traffic communicator. Returns an MPI code; throws std::bad_alloc once it
// is through with the others.
[[nodiscard]] int find_hosts(Job& job, std::vector<int>& answers);

}  // namespace espalier
