// SPDX-License-Identifier: Apache-2.0
#include "halo/travel/part.hpp"

#include <gtest/gtest.h>

namespace espalier::halo {
namespace {

TEST(Part, sends_receives_and_copies_at_once) {
  const Part part{.inputs = 2,
                  .outputs = 3,
                  .received = {{.peer = 5, .blocks = {4}, .channel = 1, .path = 0}},
                  .sent = {{.peer = 4, .blocks = {1}, .channel = 0, .path = only_by(2)}},
                  .copies = {{.from = 0, .to = 3}}};
  const Schedule schedule = schedule_of(part);
  ASSERT_EQ(schedule.operations.size(), 3U);
  EXPECT_EQ(schedule.blocks, 5);
  EXPECT_TRUE(schedule.dependencies.empty());
  EXPECT_EQ(schedule.operations[0].target.label.at(0), 4);
  EXPECT_EQ(schedule.operations[1].path, only_by(2));
  EXPECT_EQ(schedule.operations[1].source.label.at(0), 1);
  EXPECT_EQ(schedule.operations[2].target.label.at(0), 3);
}

}  // namespace
}  // namespace espalier::halo
