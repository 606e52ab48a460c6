// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/id_pool.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(IdPool, offers_the_lowest_free_number) {
  IdPool pool;
  EXPECT_EQ(lowest_of(pool.free_ids()), 0);
  pool.reserve(0);
  pool.reserve(1);
  EXPECT_EQ(lowest_of(pool.free_ids()), 2);
  pool.release(0);
  EXPECT_EQ(lowest_of(pool.free_ids()), 0);
}

TEST(IdPool, has_no_more_numbers_than_it_was_made_with) {
  IdPool pool(70);
  for (int id = 0; id < 70; ++id) {
    ASSERT_EQ(lowest_of(pool.free_ids()), id);
    pool.reserve(id);
  }
  EXPECT_EQ(lowest_of(pool.free_ids()), std::nullopt);
}

TEST(IdPool, offers_what_is_free_on_two_ranks_when_offers_are_combined) {
  IdPool mine;
  IdPool theirs;
  for (int id = 0; id < 100; ++id) (id % 2 == 0 ? mine : theirs).reserve(id);
  FreeIds common = mine.free_ids();
  const FreeIds other = theirs.free_ids();
  for (std::size_t word = 0; word < common.size(); ++word) common[word] &= other[word];
  EXPECT_EQ(lowest_of(common), 100);
}

TEST(IdPool, gives_the_turn_to_one_thread_at_a_time) {
  IdPool pool;
  EXPECT_TRUE(pool.try_take_turn());
  EXPECT_FALSE(pool.try_take_turn());
  pool.end_turn();
  EXPECT_TRUE(pool.try_take_turn());
}

}  // namespace
}  // namespace espalier
