// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier::apps {

// The MPI library itself, past anything that is preloaded, as a dlopen() handle. Ends the program if there is none in
// this process.
[[nodiscard]] void* mpi_library();

}  // namespace espalier::apps
