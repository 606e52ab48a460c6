// SPDX-License-Identifier: Apache-2.0
// What a message costs where all ranks send at once, as in a pipeline.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace bench {

// Seconds, of a message of this many bytes from each rank to the next one; the median, at the slowest rank. Collective;
// the same result on all ranks.
[[nodiscard]] double seconds_of_message(MPI_Comm comm, std::size_t bytes);

}  // namespace bench
