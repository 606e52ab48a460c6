// SPDX-License-Identifier: Apache-2.0
// What must be asked of the MPI about a datatype.
#pragma once

#include "mpi/types/type_facts.hpp"
#include "native/native.hpp"

namespace espalier {

// False if the MPI does not know the datatype.
[[nodiscard]] bool find_facts(const Native& mpi, MPI_Datatype type, TypeFacts& facts);

// Whether messages of this datatype can be sent; `comm` is any that returns errors.
[[nodiscard]] bool is_committed(const Native& mpi, MPI_Comm comm, MPI_Datatype type);

// Asks whether the elements of a datatype lie in memory exactly as they would be packed, and remembers the answer in
// an attribute of the datatype.
class ContiguityCheck {
 public:
  explicit ContiguityCheck(const Native& mpi) : mpi_(mpi) {}

  // At start, which returns an MPI code, and end.
  [[nodiscard]] int open();
  void close();

  // `comm` is any that returns errors.
  [[nodiscard]] bool is_contiguous(MPI_Comm comm, MPI_Datatype type, const TypeFacts& facts) const;

 private:
  [[nodiscard]] bool lies_in_order(MPI_Comm comm, MPI_Datatype type, const TypeFacts& facts) const;

  const Native& mpi_;
  int keyval_ = MPI_KEYVAL_INVALID;
};

}  // namespace espalier
