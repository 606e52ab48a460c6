// SPDX-License-Identifier: Apache-2.0
// While this lives, errors that belong to no communicator only return a code: for questions of ours about a handle that
// may be wrong. The call that the application made is then the one that raises the error.
#pragma once

#include "transport/mpi/native.hpp"

namespace espalier {

class QuietErrors {
 public:
  // Does nothing if other threads may raise errors meanwhile: is_quiet() says so.
  explicit QuietErrors(const Native& mpi) : mpi_(mpi) {
    int level = MPI_THREAD_MULTIPLE;
    mpi_.Query_thread(&level);
    quiet_ = level != MPI_THREAD_MULTIPLE;
    for (Place& place : places_) replace(place);
  }
  ~QuietErrors() {
    for (Place& place : places_) restore(place);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  [[nodiscard]] bool is_quiet() const { return quiet_; }

 private:
  struct Place {
    MPI_Comm comm;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  };

  void replace(Place& place) {
    if (!quiet_ || mpi_.Comm_get_errhandler(place.comm, &place.handler) != MPI_SUCCESS) return;
    mpi_.Comm_set_errhandler(place.comm, MPI_ERRORS_RETURN);
  }
  void restore(Place& place) {
    if (place.handler == MPI_ERRHANDLER_NULL) return;
    mpi_.Comm_set_errhandler(place.comm, place.handler);
    mpi_.Errhandler_free(&place.handler);
  }

  const Native& mpi_;
  bool quiet_ = false;
  Place places_[2] = {{MPI_COMM_WORLD}, {MPI_COMM_SELF}};  // which of them it is changed with MPI-4
};

}  // namespace espalier
