// SPDX-License-Identifier: Apache-2.0
// What a rank gives its neighbours and gets from them, by place. Behind a request datatypes of the application's are
// kept, as it may free them while that lives.
#pragma once

#include "mpi/call/packed_blocks.hpp"
#include "mpi/neighbours/neighbourhood.hpp"

namespace espalier {

class NeighbourBlocks {
 public:
  // Local. If the arguments do not look right, or the MPI says no, are_right() is false, and the rest of no use.
  NeighbourBlocks(const Job& job, const Call& call, const Neighbourhood& neighbourhood);
  ~NeighbourBlocks();
  NeighbourBlocks(const NeighbourBlocks&) = delete;
  NeighbourBlocks& operator=(const NeighbourBlocks&) = delete;

  [[nodiscard]] bool are_right() const { return are_right_; }
  // The blocks of both sides; none of those for which there is nobody is long.
  [[nodiscard]] const UserSides& sides() const { return sides_; }
  // Whether messages may go straight from and to the buffers of the application: all blocks are contiguous, and, where
  // NICs are to reach them, those of a side lie near each other.
  [[nodiscard]] bool lie_well(bool for_nics) const { return are_contiguous_ && (lie_near_ || !for_nics); }
  // All datatypes are predefined: a call that names the same ones means the same.
  [[nodiscard]] bool are_by_handles() const { return are_by_handles_; }

 private:
  struct NeighbourSide {
    const CallBlocks& said;
    const void* buffer;
    const std::vector<Rank>& peers;
    bool is_one_block;  // the same for all
  };
  [[nodiscard]] bool find(const Call& call, const NeighbourSide& side, UserBlocks& found);
  // A datatype of the application's, and the same for this.
  struct Kept {
    MPI_Datatype original, copy;
  };
  [[nodiscard]] bool find_type(MPI_Datatype type, bool is_to_be_kept, UserBlock& block);
  [[nodiscard]] bool keep(MPI_Datatype& type);

  const Job& job_;
  UserSides sides_;
  std::vector<Kept> kept_;
  bool are_right_ = false, are_contiguous_ = false, lie_near_ = false, are_by_handles_ = true;
};

}  // namespace espalier
