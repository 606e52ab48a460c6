// SPDX-License-Identifier: Apache-2.0
// Start and end of our part in a job.
#pragma once

namespace espalier {

// After the native MPI_Init, on all ranks: agrees on whether to take part, and makes what is needed for it. The end
// comes by itself, as the first thing that MPI_Finalize does.
void start();

}  // namespace espalier
