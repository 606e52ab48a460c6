// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/wire/distance.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

constexpr double mib = 1 << 20;

TEST(Distance, one_connection_is_enough_where_its_buffer_holds_what_is_under_way) {
  EXPECT_EQ(far_away(0, 4 * mib, 0).links, 1);
  EXPECT_EQ(far_away(.25 * mib, 1 * mib, 0).links, 1);
  EXPECT_EQ(far_away(.25 * mib, 4 * mib, 0).bytes_under_way, mib / 2);
}

TEST(Distance, connections_together_hold_what_is_under_way) {
  EXPECT_EQ(far_away(2.5 * mib, mib / 4, 0).links, 30);  // of as many as paper 2 tells, figure 3
  EXPECT_EQ(far_away(2.5 * mib, 64 * mib, 0).links, 8);  // no more than its writes
  EXPECT_EQ(far_away(1000 * mib, mib / 8, 0).links, max_links);
}

TEST(Distance, as_many_connections_as_are_wanted) {
  EXPECT_EQ(far_away(2.5 * mib, mib / 8, 3).links, 3);
  EXPECT_EQ(far_away(0, mib / 8, 3).bytes_under_way, Distance{}.bytes_under_way);
  EXPECT_EQ(far_away(2.5 * mib, mib / 8, 32, 4).links, max_links / 4);  // this many there are for all NICs
}

}  // namespace
}  // namespace espalier
