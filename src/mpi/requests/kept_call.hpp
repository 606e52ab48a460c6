// SPDX-License-Identifier: Apache-2.0
// A call that goes on after its function has returned: the application may free the datatypes that it named meanwhile.
#pragma once

#include "mpi/calls/classify.hpp"

namespace espalier {

// Local. `status` is what the MPI said; without success the call is of no use.
class KeptCall {
 public:
  KeptCall(const Native& mpi, const Call& call, const Classified& found);
  ~KeptCall();
  KeptCall(const KeptCall&) = delete;
  KeptCall& operator=(const KeptCall&) = delete;

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const Call& call() const { return call_; }
  [[nodiscard]] const Classified& found() const { return found_; }

 private:
  // Data at absolute addresses get a buffer, since what moves them later on is not to send messages. (Only elements of
  // more than 1 GiB, which MPI_Pack cannot do, are moved so.)
  void keep(const void*& buffer, CallBlocks& said, ClassifiedType& type);

  const Native& mpi_;
  Call call_;
  Classified found_;
  int status_ = MPI_SUCCESS;
  std::vector<MPI_Datatype> kept_;
};

}  // namespace espalier
