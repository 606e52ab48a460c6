// SPDX-License-Identifier: Apache-2.0
// The algorithms that the MPI itself has for a collective, listed and forced by its tool interface.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// One of them, with the segments into which it cuts messages (0: it does not take any).
struct NativeAlgorithm {
  std::string name;
  int number = 0;
  bool takes_segments = false;
};

[[nodiscard]] std::vector<NativeAlgorithm> native_algorithms(const std::string& collective);

// From here on, until force_none(). Open MPI looks when a communicator is made (forced_per_communicator()), MPICH at
// each call.
void force_native(const std::string& collective, const NativeAlgorithm& algorithm, std::size_t segment_bytes);
void force_none(const std::string& collective);
[[nodiscard]] bool forced_per_communicator();

}  // namespace bench
