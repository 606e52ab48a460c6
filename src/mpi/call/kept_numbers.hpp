// SPDX-License-Identifier: Apache-2.0
// Arrays of counts and displacements that a call of ours hands to the MPI.
#pragma once

#include <mpi.h>

#include <map>
#include <vector>

namespace espalier {

class KeptNumbers {
 public:
  // Throws on allocation failure. Never null.
  [[nodiscard]] const int* keep(std::vector<int> numbers);

  // A nonblocking or persistent function may read them as long as its request lives, which nobody tells us. But when
  // the MPI gives out the same handle again, it is gone. From any thread.
  void keep_for(MPI_Request request) noexcept;

 private:
  using ConvertedArrays = std::vector<std::vector<int>>;
  std::map<MPI_Request, ConvertedArrays>
      mine_;  // one entry, which can move to all requests' without memory being asked for
};

}  // namespace espalier
