// SPDX-License-Identifier: Apache-2.0
// The algorithms that the MPI itself has for a function, listed and forced by its tool interface.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "functions.hpp"

namespace bench {

// One of them, with the segments into which it cuts messages (0: it does not take any).
struct NativeAlgorithm {
  std::string name;
  int number = 0;
  bool takes_segments = false;
};

// Those that can be used among this many ranks; none where the MPI lets none be forced.
[[nodiscard]] std::vector<NativeAlgorithm> native_algorithms(const Function& function, int ranks);

// From here on, until force_none(). Open MPI looks when a communicator is made (forced_per_communicator()), MPICH at
// each call.
void force_native(const Function& function, const NativeAlgorithm& algorithm, std::size_t segment_bytes);
void force_none(const Function& function, const NativeAlgorithm& algorithm);
[[nodiscard]] bool forced_per_communicator();

}  // namespace bench
