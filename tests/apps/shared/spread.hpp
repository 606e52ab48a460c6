// SPDX-License-Identifier: Apache-2.0
// Values as a rank likes to have them in its memory.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace espalier::apps {

using Values = std::vector<std::uint64_t>;

// Values one after the other, or in every second or every third place; and the datatype of one of them.
class Spread {
 public:
  explicit Spread(std::uint64_t random) : stride_(static_cast<int>(random % 3) + 1) {
    if (stride_ == 1) return;
    MPI_Type_create_resized(MPI_UINT64_T, 0, static_cast<MPI_Aint>(sizeof(std::uint64_t)) * stride_, &type_);
    MPI_Type_commit(&type_);
  }
  ~Spread() { free_type(); }
  Spread(const Spread&) = delete;
  Spread& operator=(const Spread&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] std::size_t place_of(int value) const { return static_cast<std::size_t>(value * stride_); }
  // As long as nobody asks for it any more.
  void free_type() {
    if (type_ != MPI_UINT64_T && type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }

 private:
  const int stride_;
  MPI_Datatype type_ = MPI_UINT64_T;
};

}  // namespace espalier::apps
