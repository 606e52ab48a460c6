// SPDX-License-Identifier: Apache-2.0
// A communicator that is being freed. The callbacks that delete its attributes may still use it, for collectives too;
// but nothing may be registered for it any more, or the next communicator with its handle would inherit that. So from
// the beginning of the native call it is unknown to us, on all ranks alike, in whatever order the attributes go.
#pragma once

#include "mpi/communicators/communicator.hpp"

namespace espalier {

class Communicators;

// Lives around the native call, on the stack of the thread that makes it.
class Freeing {
 public:
  Freeing(Communicators& communicators, MPI_Comm comm);
  // Unless it succeeded, the communicator is as it was before.
  ~Freeing();
  Freeing(const Freeing&) = delete;
  Freeing& operator=(const Freeing&) = delete;

  void succeeded() { succeeded_ = true; }

  // Whether this thread is freeing that communicator just now.
  [[nodiscard]] static bool is_under_way(MPI_Comm comm) { return innermost(comm) != nullptr; }
  // Our attribute has been deleted. False if nobody is freeing that communicator here.
  [[nodiscard]] static bool detach(MPI_Comm comm, Communicator* communicator);

 private:
  [[nodiscard]] static Freeing* innermost(MPI_Comm comm);

  Communicators& communicators_;
  const MPI_Comm comm_;
  Communicator* detached_ = nullptr;
  bool succeeded_ = false;
};

}  // namespace espalier
