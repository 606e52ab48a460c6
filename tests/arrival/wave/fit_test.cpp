// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/fit.hpp"

#include <gtest/gtest.h>

#include "arrival/trees.hpp"

namespace espalier::arrival {

TEST(Fit, finds_what_a_transfer_took) {
  const PlaceTree tree = knomial(32);
  for (const double delay : {0.0, 5.0, 100.0}) {
    for (const double busy : {.1, 1.0}) {
      const Transfer real{.seconds = 2, .busy_seconds = 2 * busy};
      std::vector<double> arrivals(32, 7);
      arrivals[16] += delay;
      const Wave wave = play(tree, Arrangement(32), arrivals, real);
      const Transfer found = fitted_transfer(tree, Arrangement(32), arrivals, wave.left, {});
      EXPECT_NEAR(found.seconds, 2, .2);
      EXPECT_NEAR(found.busy_seconds, 2 * busy, .2);
    }
  }
}

// Whatever made the others wait for the late one.
TEST(Fit, of_another_choice_goes_by_what_was_left_when_all_had_arrived) {
  std::vector<double> arrivals(32, 7), left(32, 107 + 10);
  arrivals[16] = 107;
  EXPECT_NEAR(transfer_of_another_choice(knomial(32), arrivals, left, {}).seconds, 2, 1e-9);
}

}  // namespace espalier::arrival
