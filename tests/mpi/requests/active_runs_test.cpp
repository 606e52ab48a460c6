// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/active_runs.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace espalier {
namespace {

// Is over after this many advances, and notes each.
class Steps : public ActiveRun {
 public:
  Steps(std::vector<int>& advanced, int name, int left) : advanced_(advanced), name_(name), left_(left) {}
  bool advance() noexcept override {
    advanced_.push_back(name_);
    if (during) during();
    return --left_ <= 0;
  }
  std::function<void()> during;

 private:
  std::vector<int>& advanced_;
  const int name_;
  int left_;
};

class ActiveRunsTest : public testing::Test {
 protected:
  std::shared_ptr<Steps> add(int name, int steps) {
    auto run = std::make_shared<Steps>(advanced, name, steps);
    runs.add(run);
    return run;
  }
  std::shared_ptr<Steps> add_lightly(int name, int steps) {
    auto run = std::make_shared<Steps>(advanced, name, steps);
    runs.add_lightly(*run);
    return run;
  }

  ActiveRuns runs;
  std::vector<int> advanced;
};

TEST_F(ActiveRunsTest, are_advanced_in_turn_until_they_are_over) {
  add(1, 2);
  add(2, 1);
  EXPECT_TRUE(runs.poll());  // the second one is over
  EXPECT_TRUE(runs.poll());
  EXPECT_TRUE(runs.empty());
  EXPECT_EQ(advanced, (std::vector<int>{1, 2, 1}));
  EXPECT_FALSE(runs.poll());
}

TEST_F(ActiveRunsTest, say_whether_one_came_to_its_end) {
  add(1, 2);
  EXPECT_FALSE(runs.poll());
  EXPECT_TRUE(runs.poll());
}

TEST_F(ActiveRunsTest, go_on_where_the_last_poll_ended) {
  for (int name = 0; name < 20; ++name) add(name, 2);
  runs.poll();
  EXPECT_EQ(advanced.size(), 16u);  // a poll is not to take long
  runs.poll();
  EXPECT_EQ(std::vector<int>(advanced.begin() + 15, advanced.begin() + 22),
            (std::vector<int>{15, 16, 17, 18, 19, 0, 1}));
}

TEST_F(ActiveRunsTest, are_not_advanced_from_within_an_advance) {
  add(1, 2)->during = [&] { EXPECT_FALSE(runs.poll()); };
  runs.poll();
  EXPECT_EQ(advanced, std::vector<int>{1});
}

TEST_F(ActiveRunsTest, may_be_added_while_others_are_advanced) {
  bool added = false;
  add(1, 2)->during = [&] {
    if (!std::exchange(added, true)) add(2, 1);
  };
  EXPECT_FALSE(runs.poll());
  EXPECT_TRUE(runs.poll());
  EXPECT_TRUE(runs.empty());
  EXPECT_EQ(advanced, (std::vector<int>{1, 1, 2}));
}

TEST_F(ActiveRunsTest, are_let_go_when_they_are_over) {
  const std::weak_ptr<Steps> run = add(1, 1);
  EXPECT_FALSE(run.expired());
  runs.poll();
  EXPECT_TRUE(run.expired());
}

TEST_F(ActiveRunsTest, are_advanced_by_age_however_they_were_added) {
  const auto first = add_lightly(1, 2);
  EXPECT_FALSE(runs.empty());
  const auto second = add_lightly(2, 2);
  runs.poll();
  runs.poll();
  EXPECT_TRUE(runs.empty());
  EXPECT_EQ(advanced, (std::vector<int>{1, 2, 1, 2}));
}

TEST_F(ActiveRunsTest, can_be_taken_out_wherever_they_are) {
  const auto polled = add_lightly(1, 9), new_one = add_lightly(2, 9), latest = add_lightly(3, 9);
  for (const auto& run : {latest, new_one}) EXPECT_TRUE(runs.take_out(*run));
  runs.poll();
  EXPECT_EQ(advanced, std::vector<int>{1});
  EXPECT_TRUE(runs.take_out(*polled));
  EXPECT_TRUE(runs.empty());
  EXPECT_FALSE(runs.poll());
}

TEST_F(ActiveRunsTest, are_taken_out_once) {
  const auto one = add_lightly(1, 9), other = add_lightly(2, 1);
  EXPECT_TRUE(runs.take_out(*one));
  EXPECT_FALSE(runs.take_out(*one));
  runs.poll();
  EXPECT_FALSE(runs.take_out(*other));  // it is over
}

TEST_F(ActiveRunsTest, may_be_taken_out_and_added_again) {
  const auto one = add_lightly(1, 99);
  for (int round = 0; round < 50; ++round) {
    if (round % 2 != 0) runs.poll();
    EXPECT_TRUE(runs.take_out(*one));
    runs.add_lightly(*one);
  }
  EXPECT_TRUE(runs.take_out(*one));
  EXPECT_TRUE(runs.empty());
}

TEST_F(ActiveRunsTest, are_not_taken_out_while_others_are_advanced) {
  const auto one = add_lightly(1, 1), other = add_lightly(2, 9);
  one->during = [&] {
    EXPECT_FALSE(runs.take_out(*one));
    EXPECT_FALSE(runs.take_out(*other));
  };
  runs.poll();
  EXPECT_TRUE(runs.take_out(*other));
}

TEST_F(ActiveRunsTest, go_on_in_turn_when_one_was_taken_out) {
  std::vector<std::shared_ptr<Steps>> all;
  for (int name = 0; name < 18; ++name) all.push_back(add_lightly(name, 9));
  runs.poll();
  EXPECT_TRUE(runs.take_out(*all[17]));
  EXPECT_TRUE(runs.take_out(*all[16]));
  advanced.clear();
  runs.poll();
  EXPECT_EQ(advanced.front(), 0);
  EXPECT_EQ(advanced.size(), 16u);
}

TEST_F(ActiveRunsTest, are_held_by_others_until_somebody_else_has_to_go) {
  auto let_go = add_lightly(1, 1), kept = add_lightly(2, 1);
  const std::weak_ptr<Steps> taken = let_go, held = kept;
  EXPECT_TRUE(runs.take_out(*let_go));
  let_go.reset();
  EXPECT_TRUE(taken.expired());
  runs.hold_latest();
  runs.hold_latest();  // there is none any more
  kept.reset();
  EXPECT_FALSE(held.expired());
  EXPECT_TRUE(runs.poll());
  EXPECT_TRUE(held.expired());
}

}  // namespace
}  // namespace espalier
