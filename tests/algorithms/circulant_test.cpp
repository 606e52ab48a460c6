// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/circulant.hpp"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

// The four conditions under which n blocks reach everybody in n - 1 + phases rounds (Träff 2024, section 2.1).
TEST(Circulant, receives_different_blocks_in_each_turn_and_only_what_the_sender_has) {
  for (Rank size = 2; size <= 300; size++) {
    const Circulant graph(size);
    const int phases = graph.phases();
    for (Rank place = 1; place < size; place++) {
      const std::vector<int> received = graph.received_blocks(place);
      ASSERT_EQ(static_cast<int>(received.size()), phases);
      std::set<int> turn;
      int base_blocks = 0;
      for (const int block : received) {
        turn.insert(wrap(block, phases));
        base_blocks += block >= 0;
      }
      ASSERT_EQ(static_cast<int>(turn.size()), phases) << size << " " << place;
      ASSERT_EQ(base_blocks, 1) << size << " " << place;

      for (int phase = 0; phase < phases; phase++) {
        const Rank from = graph.before(place, phase);
        if (from == 0) {
          ASSERT_EQ(received[phase], phase) << "the root sends its blocks in turn";
          continue;
        }
        const std::vector<int> senders = graph.received_blocks(from);
        bool has = false;
        for (int earlier = 0; earlier < phase; earlier++) has |= senders[earlier] == received[phase];
        for (const int block : senders) has |= block - phases == received[phase];
        ASSERT_TRUE(has) << size << " " << place << " " << phase;
      }
    }
  }
}

TEST(Circulant, has_as_many_phases_as_the_logarithm_rounded_up) {
  EXPECT_EQ(Circulant(2).phases(), 1);
  EXPECT_EQ(Circulant(3).phases(), 2);
  EXPECT_EQ(Circulant(17).phases(), 5);
  EXPECT_EQ(Circulant(64).phases(), 6);
}

}  // namespace
}  // namespace espalier
