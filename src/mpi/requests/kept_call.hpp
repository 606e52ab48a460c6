// SPDX-License-Identifier: Apache-2.0
// A call that goes on after its function has returned: the application may free the datatypes that it named meanwhile.
#pragma once

#include "mpi/call/classify.hpp"

namespace espalier {

// Local. `status` is what the MPI said; without success the call is of no use.
class KeptCall {
 public:
  // By rank `me` of this many.
  KeptCall(const Native& mpi, const Call& call, const Classified& found, Rank me, Rank size);
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
  // Where each block has a datatype of its own. They are said in large numbers from then on, since a displacement may
  // be an absolute address.
  struct Arrays {
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> types;
  };
  void keep_each(const void* buffer, CallBlocks& said, ClassifiedType& type, Rank size, Arrays& arrays);
  // Null if the MPI does not make it. `facts`: those of what is kept.
  [[nodiscard]] MPI_Datatype kept(MPI_Datatype type, bool is_absolute, TypeFacts& facts);

  const Native& mpi_;
  Function function_;
  Call call_;
  Classified found_;
  int status_ = MPI_SUCCESS;
  std::vector<MPI_Datatype> kept_;
  Arrays sent_, received_;
};

}  // namespace espalier
