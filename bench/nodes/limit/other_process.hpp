// SPDX-License-Identifier: Apache-2.0
// The other rank's memory: the kernel copies, once, to or from it.
#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <cstddef>

namespace bench {

class OtherProcess {
 public:
  // Collective, among two.
  explicit OtherProcess(MPI_Comm comm);

  // Whether the system lets each of them at the other's memory. Collective.
  [[nodiscard]] static bool is_open(MPI_Comm comm);

  // Throw std::runtime_error.
  void read(void* here, const void* there, std::size_t bytes) const;
  void write(void* there, const void* here, std::size_t bytes) const;

 private:
  pid_t process_ = 0;
};

}  // namespace bench
