// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/large_type.hpp"

#include <initializer_list>

namespace espalier {

namespace {

// Any count up to 2^60 is this many pieces and a rest.
constexpr MPI_Count piece_elements = MPI_Count{1} << 30;

// Types that a type is made of, and that are not needed once it exists.
class Parts {
 public:
  explicit Parts(const Native& mpi) : mpi_(mpi) {}
  ~Parts() {
    for (MPI_Datatype* type : {&piece_, &pieces_, &rest_}) {
      if (*type != MPI_DATATYPE_NULL) mpi_.Type_free(type);
    }
  }

  int join(MPI_Count count, MPI_Datatype type, MPI_Datatype& joined) {
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    int status = mpi_.Type_get_extent(type, &lower_bound, &extent);
    const auto piece_count = static_cast<int>(count / piece_elements);
    const auto rest_count = static_cast<int>(count % piece_elements);
    if (status == MPI_SUCCESS) status = mpi_.Type_contiguous(static_cast<int>(piece_elements), type, &piece_);
    if (status == MPI_SUCCESS) status = mpi_.Type_contiguous(piece_count, piece_, &pieces_);
    if (status == MPI_SUCCESS) status = mpi_.Type_contiguous(rest_count, type, &rest_);
    if (status != MPI_SUCCESS) return status;
    const int lengths[] = {1, 1};
    const MPI_Aint displacements[] = {0, static_cast<MPI_Aint>(piece_count * piece_elements * extent)};
    const MPI_Datatype types[] = {pieces_, rest_};
    return mpi_.Type_create_struct(2, lengths, displacements, types, &joined);
  }

 private:
  const Native& mpi_;
  MPI_Datatype piece_ = MPI_DATATYPE_NULL, pieces_ = MPI_DATATYPE_NULL, rest_ = MPI_DATATYPE_NULL;
};

}  // namespace

LargeType::LargeType(const Native& mpi, MPI_Count count, MPI_Datatype type) : mpi_(mpi), status_(build(count, type)) {}

LargeType::~LargeType() {
  if (type_ != MPI_DATATYPE_NULL) mpi_.Type_free(&type_);
}

int LargeType::build(MPI_Count count, MPI_Datatype type) {
  const int status = Parts(mpi_).join(count, type, type_);
  return status == MPI_SUCCESS ? mpi_.Type_commit(&type_) : status;
}

}  // namespace espalier
