// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/prepared.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "fake/rank_of_job.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;

// A kind of broadcasts for each number.
PreparedKey key_of(std::size_t bytes) {
  return {.problem = {.collective = Collective::bcast, .count = bytes},
          .choice = {.algorithm = find_algorithm(Collective::bcast, "chain")}};
}

class PreparedTest : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Prepared> prepare(std::size_t bytes) {
    return std::make_unique<Prepared>(Prepared::Setup{.key = key_of(bytes), .shape = {.size = 2}, .me = 0},
                                      here.communicator().endpoint());
  }
  Prepared& insert(PreparedCache& cache, std::size_t bytes) {
    return cache.insert(key_of(bytes), prepare(bytes),
                        [&](const Prepared& old) { forgotten.push_back(old.key().problem.count); });
  }

  fake::Started started{2};
  RankOfJob here{fake::make_communicator({0, 1}), {}};
  std::vector<std::size_t> forgotten;
};

TEST_F(PreparedTest, is_found_by_its_key) {
  PreparedCache cache(4);
  EXPECT_EQ(cache.find(key_of(8)), nullptr);
  Prepared& one = insert(cache, 8);
  EXPECT_EQ(cache.find(key_of(8)), &one);
  EXPECT_EQ(cache.find(key_of(9)), nullptr);
  cache.clear();
  EXPECT_EQ(cache.find(key_of(8)), nullptr);
}

TEST_F(PreparedTest, is_for_one_choice_one_datatype_and_one_layout) {
  PreparedCache cache(4);
  insert(cache, 8);
  PreparedKey cut = key_of(8), typed = key_of(8), uneven = key_of(8);
  cut.choice.cut.segment_bytes = 4;
  typed.type = MPI_INT;
  uneven.blocks = {3, 5};
  for (const PreparedKey& other : {cut, typed, uneven}) EXPECT_EQ(cache.find(other), nullptr);
  PreparedKey same = key_of(8);
  same.choice.reason = "another";
  EXPECT_NE(cache.find(same), nullptr);
}

TEST_F(PreparedTest, makes_room_by_forgetting_what_was_used_longest_ago) {
  PreparedCache cache(3);
  for (const std::size_t bytes : {1, 2, 3}) insert(cache, bytes);
  cache.touch(*cache.find(key_of(1)));
  insert(cache, 4);
  insert(cache, 5);
  EXPECT_EQ(forgotten, (std::vector<std::size_t>{2, 3}));
  EXPECT_NE(cache.find(key_of(1)), nullptr);
}

TEST_F(PreparedTest, is_given_to_one_run_at_a_time) {
  Idle<Prepared> idle;
  const auto take = [&] { return idle.take([](const Prepared& one) { return one.key() == key_of(8); }); };
  EXPECT_EQ(take(), nullptr);
  idle.give_back(prepare(8));
  idle.give_back(prepare(8));
  const auto first = take(), second = take();
  EXPECT_TRUE(first && second);
  EXPECT_NE(first, second);
  EXPECT_EQ(take(), nullptr);
}

TEST_F(PreparedTest, is_kept_for_later_runs_up_to_a_bound) {
  Idle<Prepared> idle;
  for (int k = 0; k < 100; ++k) idle.give_back(prepare(8));
  int kept = 0;
  while (idle.take([](const Prepared&) { return true; })) ++kept;
  EXPECT_EQ(kept, 64);
}

struct Heavy : Linked<Heavy> {
  [[nodiscard]] static std::size_t scratch_bytes() { return std::size_t{20} << 20; }
};

TEST(Idle, forgets_the_bytes_of_what_was_taken) {
  Idle<Heavy> idle;
  for (int turn = 0; turn < 100; ++turn) {
    idle.give_back(std::make_unique<Heavy>());
    EXPECT_NE(idle.take([](const Heavy&) { return true; }), nullptr) << turn;
  }
  for (int k = 0; k < 5; ++k) idle.give_back(std::make_unique<Heavy>());
  int kept = 0;
  while (idle.take([](const Heavy&) { return true; })) ++kept;
  EXPECT_EQ(kept, 3);
}

struct Giant : Linked<Giant> {
  [[nodiscard]] static std::size_t scratch_bytes() { return std::size_t{1} << 30; }
};

TEST(Idle, keeps_one_that_is_larger_than_its_bound) {
  Idle<Giant> idle;
  for (int k = 0; k < 2; ++k) idle.give_back(std::make_unique<Giant>());
  EXPECT_NE(idle.take([](const Giant&) { return true; }), nullptr);
  EXPECT_EQ(idle.take([](const Giant&) { return true; }), nullptr);
}

}  // namespace
}  // namespace espalier
