// SPDX-License-Identifier: Apache-2.0
// Values as a rank likes to have them in its memory.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace espalier::apps {

using Values = std::vector<std::uint64_t>;

// So many values one after the other, or in every second or every third place; and the datatype of one of them.
class Spread {
 public:
  Spread(int values, std::uint64_t random) : values_(values), stride_(static_cast<int>(random % 3) + 1) {
    if (stride_ == 1) return;
    MPI_Type_create_resized(MPI_UINT64_T, 0, static_cast<MPI_Aint>(sizeof(std::uint64_t)) * stride_, &type_);
    MPI_Type_commit(&type_);
  }
  ~Spread() {
    if (stride_ != 1) MPI_Type_free(&type_);
  }
  Spread(const Spread&) = delete;
  Spread& operator=(const Spread&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] Values empty() const { return Values(static_cast<std::size_t>(values_ * stride_), unwritten); }
  [[nodiscard]] Values spread(const Values& values) const {
    Values all = empty();
    for (std::size_t i = 0; i < values.size(); ++i) all[i * stride_] = values[i];
    return all;
  }

 private:
  static constexpr std::uint64_t unwritten = 0x5a5a5a5a;
  int values_, stride_;
  MPI_Datatype type_ = MPI_UINT64_T;
};

}  // namespace espalier::apps
