// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/relative_type.hpp"

namespace espalier {

int make_relative(const Native& mpi, MPI_Datatype type, const TypeFacts& facts, MPI_Datatype& relative) {
  const int count = 1;
  const auto distance = static_cast<MPI_Aint>(-facts.true_lower_bound);
  const int status = mpi.Type_create_hindexed(1, &count, &distance, type, &relative);
  return status == MPI_SUCCESS ? mpi.Type_commit(&relative) : status;
}

}  // namespace espalier
