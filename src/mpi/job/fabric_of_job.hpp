// SPDX-License-Identifier: Apache-2.0
// The job's use of libfabric (transport/fabric).
#pragma once

namespace espalier {

struct Job;  // job.hpp

// Whether the settings allow it and it may gain something; equal on all ranks, from agree_on_machine() on.
[[nodiscard]] bool may_have_fabric(const Job& job);

// Opens this host's NICs and learns where all other ranks can be reached. Where a rank cannot, none uses it; that is
// said once, with the reason, if the settings ask for it. Collective over the traffic communicator, after the machine
// and the hosts are known. Returns an MPI code; throws on allocation failure before anything is sent.
[[nodiscard]] int open_fabric(Job& job);

}  // namespace espalier
