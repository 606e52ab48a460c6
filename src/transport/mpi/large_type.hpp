// SPDX-License-Identifier: Apache-2.0
// More than INT_MAX elements through functions whose counts are ints.
#pragma once

#include <climits>
#include <optional>

#include "native/native.hpp"

namespace espalier {

// A committed datatype that stands for `count` elements of `type`, one after the other; freed with this object (a
// message under way keeps what it needs). `status` is what the MPI said; on failure there is no type.
class LargeType {
 public:
  LargeType(const Native& mpi, MPI_Count count, MPI_Datatype type);
  ~LargeType();
  LargeType(const LargeType&) = delete;
  LargeType& operator=(const LargeType&) = delete;

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  [[nodiscard]] int build(MPI_Count count, MPI_Datatype type);

  const Native& mpi_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  int status_ = MPI_SUCCESS;
};

// A count and a datatype that fit an int's count: as they are, or as one element of a large type.
class Countable {
 public:
  Countable(const Native& mpi, MPI_Count count, MPI_Datatype type) : type_(type), count_(1) {
    if (count > INT_MAX) {
      large_.emplace(mpi, count, type);
    } else {
      count_ = static_cast<int>(count);
    }
  }
  [[nodiscard]] int status() const { return large_ ? large_->status() : MPI_SUCCESS; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return large_ ? large_->get() : type_; }

 private:
  MPI_Datatype type_;
  int count_;
  std::optional<LargeType> large_;
};

}  // namespace espalier
