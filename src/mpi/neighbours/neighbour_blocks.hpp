// SPDX-License-Identifier: Apache-2.0
// What a rank gives its neighbours and gets from them, by place. Datatypes of the application's are kept, as it may
// free them while the request lives.
#pragma once

#include "mpi/calls/packed_blocks.hpp"
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
  // Whether messages may go straight from and to the buffers of the application: all blocks of a side are contiguous
  // and lie near each other.
  [[nodiscard]] bool lie_well() const { return lie_well_; }

 private:
  struct Side {
    const CallBlocks& said;
    const void* buffer;
    const std::vector<Rank>& peers;
    bool is_one_block;  // the same for all
  };
  [[nodiscard]] bool find(const Side& side, UserBlocks& found);
  [[nodiscard]] bool find_type(MPI_Datatype type, UserBlock& block);
  [[nodiscard]] bool lies_well(const UserBlocks& side) const;

  const Job& job_;
  const Call& call_;
  UserSides sides_;
  std::vector<MPI_Datatype> kept_;
  bool are_right_ = false, lie_well_ = false;
};

}  // namespace espalier
