// SPDX-License-Identifier: Apache-2.0
#include "halo/process_grid.hpp"

#include <gtest/gtest.h>

namespace espalier::halo {
namespace {

TEST(ProcessGrid, is_diagonal_where_two_coordinates_differ) {
  const ProcessGrid grid{.sizes = {3, 4}};
  EXPECT_FALSE(grid.are_diagonal(5, 5));
  EXPECT_FALSE(grid.are_diagonal(5, 6));
  EXPECT_FALSE(grid.are_diagonal(4, 7));  // along a row, if that is a ring
  EXPECT_FALSE(grid.are_diagonal(1, 9));
  EXPECT_TRUE(grid.are_diagonal(5, 10));
  EXPECT_TRUE(grid.are_diagonal(0, 11));
}

TEST(ProcessGrid, has_no_diagonals_in_one_dimension_or_where_nothing_is_known) {
  EXPECT_FALSE((ProcessGrid{.sizes = {12}}.are_diagonal(0, 7)));
  EXPECT_FALSE((ProcessGrid{}.are_diagonal(0, 7)));
}

TEST(ProcessGrid, is_read_from_a_text_that_fits_the_ranks) {
  EXPECT_EQ(process_grid_of("3x4", 12).sizes, (std::vector<int>{3, 4}));
  EXPECT_EQ(process_grid_of("12", 12).sizes, std::vector<int>{12});
  for (const char* const wrong : {"", "3x", "x4", "3x5", "3 x4", "-3x-4", "0x12", "3x4x", "99999999999x1", "2x2x99"})
    EXPECT_TRUE(process_grid_of(wrong, 12).sizes.empty()) << wrong;
}

}  // namespace
}  // namespace espalier::halo
