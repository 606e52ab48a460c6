// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/process_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace espalier {
namespace {

// What the MPI says of two communicators: the one that was made, and the one that it was made from.
struct SaidTopologies {
  int kind_of_made = MPI_DIST_GRAPH, kind_of_parent = MPI_CART, likeness = MPI_CONGRUENT, status_of_get = MPI_SUCCESS;
};

class ProcessGridOfCommunicator : public testing::Test {
 protected:
  static constexpr MPI_Comm made = MPI_COMM_WORLD, parent = MPI_COMM_SELF;
  const std::vector<int> three_by_four = {3, 4}, nothing = {};

  [[nodiscard]] static std::vector<int> found(const SaidTopologies& topologies, MPI_Comm from = parent) {
    said = topologies;
    return find_process_grid(table(), made, from).sizes;
  }

 private:
  [[nodiscard]] static Native table() {
    Native native;
    native.Topo_test = [](MPI_Comm comm, int* kind) {
      *kind = comm == made ? said.kind_of_made : said.kind_of_parent;
      return MPI_SUCCESS;
    };
    native.Cartdim_get = [](MPI_Comm, int* dimensions) {
      *dimensions = 2;
      return MPI_SUCCESS;
    };
    native.Cart_get = [](MPI_Comm, int dimensions, int* sizes, int* periods, int* place) {
      constexpr std::array grid = {3, 4};
      std::copy_n(grid.begin(), dimensions, sizes);
      std::fill_n(periods, dimensions, 1);
      std::fill_n(place, dimensions, 0);
      return said.status_of_get;
    };
    native.Comm_compare = [](MPI_Comm, MPI_Comm, int* likeness) {
      *likeness = said.likeness;
      return MPI_SUCCESS;
    };
    return native;
  }
  static inline SaidTopologies said;
};

TEST_F(ProcessGridOfCommunicator, is_that_of_its_cartesian_topology) {
  EXPECT_EQ(found({.kind_of_made = MPI_CART, .kind_of_parent = MPI_UNDEFINED}), three_by_four);
  EXPECT_EQ(found({.kind_of_made = MPI_CART}, MPI_COMM_NULL), three_by_four);
}

TEST_F(ProcessGridOfCommunicator, is_that_of_what_its_graph_was_made_from) {
  EXPECT_EQ(found({}), three_by_four);
  EXPECT_EQ(found({.kind_of_made = MPI_GRAPH}), three_by_four);
}

TEST_F(ProcessGridOfCommunicator, is_unknown_if_the_graph_has_its_ranks_in_another_order) {
  EXPECT_EQ(found({.likeness = MPI_SIMILAR}), nothing);
  EXPECT_EQ(found({.likeness = MPI_UNEQUAL}), nothing);
}

TEST_F(ProcessGridOfCommunicator, is_unknown_without_a_grid) {
  EXPECT_EQ(found({.kind_of_parent = MPI_DIST_GRAPH}), nothing);
  EXPECT_EQ(found({.kind_of_made = MPI_UNDEFINED}), nothing);
  EXPECT_EQ(found({}, MPI_COMM_NULL), nothing);
  EXPECT_EQ(found({.status_of_get = MPI_ERR_COMM}), nothing);
}

}  // namespace
}  // namespace espalier
