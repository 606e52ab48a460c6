// SPDX-License-Identifier: Apache-2.0
#include "schedule/walks.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// The definition, block by block.
std::optional<WalkMeeting> meet_by_definition(const Walk& later, int later_blocks, const Walk& earlier,
                                              int earlier_blocks) {
  std::optional<WalkMeeting> found;
  for (int i = 0; i < later_blocks; i++) {
    for (int k = 0; k < earlier_blocks; k++) {
      if (later.at(i) != earlier.at(k)) continue;
      if (!found) found = WalkMeeting{0, k - i};
      found->blocks++;
      found->shift = std::max(found->shift, k - i);
    }
  }
  return found;
}

void expect_as_defined(const Walk& later, int later_blocks, const Walk& earlier, int earlier_blocks) {
  const auto expected = meet_by_definition(later, later_blocks, earlier, earlier_blocks);
  const auto found = meet(later, later_blocks, earlier, earlier_blocks);
  ASSERT_EQ(found.has_value(), expected.has_value())
      << later.first << " step " << later.step << " x " << later_blocks << " against " << earlier.first << " step "
      << earlier.step << " x " << earlier_blocks << " modulo " << later.modulus;
  if (!found) return;
  EXPECT_EQ(found->blocks, expected->blocks);
  EXPECT_EQ(found->shift, expected->shift);
}

TEST(Walks, meet_as_defined_when_they_go_round) {
  constexpr int modulus = 7;
  for (const int later_step : {1, -1, 2, 3}) {
    for (const int earlier_step : {1, -1, 2, 3}) {
      for (int first = 0; first < modulus; first++) {
        for (int later_blocks = 1; later_blocks <= modulus; later_blocks++) {
          for (int earlier_blocks = 1; earlier_blocks <= modulus; earlier_blocks++) {
            expect_as_defined({first, later_step, modulus}, later_blocks, {2, earlier_step, modulus}, earlier_blocks);
          }
        }
      }
    }
  }
}

TEST(Walks, meet_as_defined_without_a_modulus) {
  for (const int step : {1, -1, 3, 4}) {
    for (int first = 0; first < 12; first++) {
      for (int blocks = 1; blocks <= 4; blocks++) expect_as_defined({first, step, 0}, blocks, {12, step, 0}, 3);
    }
  }
}

}  // namespace
}  // namespace espalier
