// SPDX-License-Identifier: Apache-2.0
// Which ranks run on the same host.
#pragma once

namespace espalier {

struct Job;  // job.hpp

// Finds out whether ranks outnumber cores on this one, and where a memory wants to know it, which ranks share a host.
// Collective over the traffic communicator. Returns an MPI code; throws for want of memory before anything is sent.
[[nodiscard]] int find_hosts(Job& job);

}  // namespace espalier
