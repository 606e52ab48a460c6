// SPDX-License-Identifier: Apache-2.0
// Which ranks share memory, and that memory.
#pragma once

namespace espalier {

struct Job;  // job.hpp

// Makes memory that the ranks of a node share, where they may and can: they find out by trying. Collective over the
// traffic communicator. Returns an MPI code.
[[nodiscard]] int open_node(Job& job);

}  // namespace espalier
