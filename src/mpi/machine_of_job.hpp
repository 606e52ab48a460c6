// SPDX-License-Identifier: Apache-2.0
// What the job knows of the machine that it runs on.
#pragma once

namespace espalier {

// Reads ESPALIER_TOPOLOGY into the context, if it is set. Collective over the context's traffic communicator; all ranks
// come to know the same. A description that cannot be read, or that contradicts the job, is said once, and then nothing
// is known. Returns an MPI code.
[[nodiscard]] int learn_machine();

}  // namespace espalier
