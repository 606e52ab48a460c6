// SPDX-License-Identifier: Apache-2.0
// Which ranks run on the same host.
#pragma once

namespace espalier {

struct Job;  // job.hpp

// Memory for what follows, before any rank waits for another one. Throws std::bad_alloc.
void make_room_for_hosts(Job& job);

// Finds out whether ranks outnumber cores on this one, and where a memory wants to know it, which ranks share a host.
// Collective over the traffic communicator. Returns an MPI code.
[[nodiscard]] int find_hosts(Job& job);

}  // namespace espalier
