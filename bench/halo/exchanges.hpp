// SPDX-License-Identifier: Apache-2.0
// What may carry out one exchange again and again:
//
//     native:persistent     persistent sends and receives of the MPI's, MPI_Startall and MPI_Waitall
//     paired                the same, Espalier's if ESPALIER_PERSISTENT=paired
//     native:neighbour      MPI_Neighbor_alltoallw_init of the MPI's
//     native:blocking       MPI_Neighbor_alltoallw of the MPI's
//     espalier              MPI_Neighbor_alltoallw_init of Espalier's, distributed as it chooses
//     espalier:neighbour    MPI_Neighbor_alltoallw of Espalier's
//     together, alone       the same, with short messages of a host's ranks together, or never so
//     packer:NAME           MPI_Neighbor_alltoallw_init, by that packer
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "patterns.hpp"

namespace bench {

// As MPI wants to know them.
struct NamedBlocks {
  NamedBlocks(const std::vector<Block>& blocks, bool are_one);
  std::vector<int> peers, counts;
  std::vector<MPI_Aint> places;
  std::vector<MPI_Datatype> types;
};

class Exchange {
 public:
  // Collective. Throws std::invalid_argument if there is no such variant.
  Exchange(const std::string& variant, const Pattern& pattern, MPI_Comm comm);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void run();
  // Whether what arrived last is what was sent.
  [[nodiscard]] bool is_right() const;

 private:
  void init_persistent(const Pattern& pattern);
  void init_neighbours(const std::vector<int>& grid);
  [[nodiscard]] MPI_Info hints(const std::vector<int>& grid) const;
  void place_on_grid(const std::vector<int>& sizes, MPI_Comm comm);
  void exchange_blocking();

  const std::string variant_;
  const bool is_native_, is_blocking_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<unsigned char> sent_, received_, expected_;
  const NamedBlocks to_, from_;
  std::vector<MPI_Request> requests_;
};

}  // namespace bench
