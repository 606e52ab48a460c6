// SPDX-License-Identifier: Apache-2.0
// Each state (not begun, waiting, alone, said) with each answer (nothing, none like it, there, other length), before
// and after each of the three times (to ask, to say, timeout); questions and answers that are lost, late or doubled are
// answers that stay away, change or stay as they are.
#include "mpi/pairs/missing_end.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

using namespace std::chrono_literals;
using Finding = MissingEnd::Finding;

class MissingEndTest : public testing::Test {
 protected:
  // After so much more time.
  MissingEnd::Step after(std::chrono::milliseconds passed, PairAnswer answer) {
    now += passed;
    return missing.look(now, answer, timeout);
  }
  Finding finding_after(std::chrono::milliseconds passed, PairAnswer answer) { return after(passed, answer).finding; }
  // Looks once a second with that answer until it ends; for how many seconds. 0: it does not.
  int seconds_to_end(PairAnswer answer, int most = 1000) {
    for (int second = 1; second <= most; ++second) {
      if (after(1s, answer).is_end()) return second;
    }
    return 0;
  }

  MissingEnd missing;
  Clock::time_point now{1000s};
  MissingEnd::Seconds timeout{60};
};

TEST_F(MissingEndTest, the_first_look_finds_nothing_whenever_it_comes) {
  for (const PairAnswer answer : {PairAnswer::nothing, PairAnswer::none_like_it, PairAnswer::is_there}) {
    missing.begin();
    const MissingEnd::Step step = after(1h, answer);
    EXPECT_EQ(step.finding, Finding::nothing);
    EXPECT_FALSE(step.asks);
    EXPECT_FALSE(step.is_end());
  }
}

TEST_F(MissingEndTest, asks_after_a_second_and_then_again_and_again) {
  EXPECT_FALSE(after(0s, PairAnswer::nothing).asks);
  EXPECT_FALSE(after(1s, PairAnswer::nothing).asks);
  EXPECT_TRUE(after(1ms, PairAnswer::nothing).asks);
  EXPECT_FALSE(after(1s, PairAnswer::nothing).asks);
  EXPECT_TRUE(after(1ms, PairAnswer::nothing).asks);
  EXPECT_TRUE(after(1min, PairAnswer::nothing).asks);
  EXPECT_FALSE(after(0s, PairAnswer::nothing).asks);
}

TEST_F(MissingEndTest, asks_on_whatever_has_been_answered) {
  for (const PairAnswer answer : {PairAnswer::nothing, PairAnswer::none_like_it, PairAnswer::is_there}) {
    (void)after(0s, answer);
    EXPECT_TRUE(after(2s, answer).asks);
  }
}

TEST_F(MissingEndTest, waits_endlessly_where_no_answer_arrives) {
  EXPECT_EQ(seconds_to_end(PairAnswer::nothing), 0);
  EXPECT_EQ(finding_after(1h, PairAnswer::nothing), Finding::nothing);
}

TEST_F(MissingEndTest, waits_endlessly_for_what_is_there) { EXPECT_EQ(seconds_to_end(PairAnswer::is_there), 0); }

TEST_F(MissingEndTest, ends_when_nobody_has_been_there_for_the_timeout) {
  EXPECT_EQ(finding_after(0s, PairAnswer::nothing), Finding::nothing);
  EXPECT_EQ(finding_after(59s, PairAnswer::none_like_it), Finding::none_as_yet);
  EXPECT_EQ(finding_after(1s, PairAnswer::none_like_it), Finding::nothing);
  const MissingEnd::Step last = after(1ms, PairAnswer::none_like_it);
  EXPECT_EQ(last.finding, Finding::none_in_time);
  EXPECT_TRUE(last.is_end());
  EXPECT_FALSE(last.asks);
}

TEST_F(MissingEndTest, a_timeout_of_zero_ends_it_as_soon_as_time_has_passed) {
  timeout = 0s;
  EXPECT_EQ(finding_after(0s, PairAnswer::none_like_it), Finding::nothing);
  EXPECT_EQ(finding_after(1ms, PairAnswer::none_like_it), Finding::none_in_time);
}

TEST_F(MissingEndTest, counts_from_when_the_other_end_was_last_thought_to_be_there) {
  (void)after(0s, PairAnswer::nothing);
  for (const PairAnswer doubt : {PairAnswer::nothing, PairAnswer::is_there}) {
    EXPECT_FALSE(after(59s, PairAnswer::none_like_it).is_end());
    EXPECT_EQ(finding_after(5s, doubt), Finding::nothing);
    EXPECT_FALSE(after(60s, PairAnswer::none_like_it).is_end());
    (void)after(0s, doubt);
  }
  EXPECT_EQ(seconds_to_end(PairAnswer::none_like_it), 61);
}

TEST_F(MissingEndTest, says_after_ten_seconds_that_there_is_none_as_yet_and_says_it_once) {
  (void)after(0s, PairAnswer::nothing);
  EXPECT_EQ(finding_after(10s, PairAnswer::none_like_it), Finding::nothing);
  const MissingEnd::Step step = after(1ms, PairAnswer::none_like_it);
  EXPECT_EQ(step.finding, Finding::none_as_yet);
  EXPECT_FALSE(step.is_end());
  EXPECT_EQ(finding_after(10s, PairAnswer::none_like_it), Finding::nothing);
  (void)after(0s, PairAnswer::is_there);
  EXPECT_EQ(finding_after(11s, PairAnswer::none_like_it), Finding::nothing);
}

TEST_F(MissingEndTest, says_and_asks_at_once_where_both_are_due) {
  (void)after(0s, PairAnswer::nothing);
  const MissingEnd::Step step = after(11s, PairAnswer::none_like_it);
  EXPECT_EQ(step.finding, Finding::none_as_yet);
  EXPECT_TRUE(step.asks);
}

TEST_F(MissingEndTest, says_nothing_before_a_timeout_that_is_shorter) {
  timeout = 3s;
  EXPECT_EQ(finding_after(0s, PairAnswer::nothing), Finding::nothing);
  EXPECT_EQ(finding_after(3s, PairAnswer::none_like_it), Finding::nothing);
  EXPECT_EQ(finding_after(1ms, PairAnswer::none_like_it), Finding::none_in_time);
}

TEST_F(MissingEndTest, ends_at_once_with_a_message_of_another_length) {
  EXPECT_EQ(finding_after(0s, PairAnswer::other_length), Finding::other_length);
  missing.begin();
  (void)after(0s, PairAnswer::none_like_it);
  const MissingEnd::Step step = after(1min, PairAnswer::other_length);
  EXPECT_EQ(step.finding, Finding::other_length);
  EXPECT_TRUE(step.is_end());
  EXPECT_FALSE(step.asks);
}

TEST_F(MissingEndTest, a_late_end_saves_the_start) {
  (void)after(0s, PairAnswer::nothing);
  EXPECT_EQ(finding_after(59s, PairAnswer::none_like_it), Finding::none_as_yet);
  EXPECT_EQ(seconds_to_end(PairAnswer::is_there), 0);
}

TEST_F(MissingEndTest, each_start_begins_with_all_its_time) {
  (void)after(0s, PairAnswer::nothing);
  EXPECT_FALSE(after(60s, PairAnswer::none_like_it).is_end());
  missing.begin();
  EXPECT_EQ(finding_after(1s, PairAnswer::none_like_it), Finding::nothing);
  EXPECT_EQ(seconds_to_end(PairAnswer::none_like_it), 61);
}

TEST_F(MissingEndTest, a_request_says_once_for_all_its_starts_that_nobody_is_there) {
  for (const Finding expected : {Finding::none_as_yet, Finding::nothing}) {
    missing.begin();
    (void)after(0s, PairAnswer::none_like_it);
    EXPECT_EQ(finding_after(11s, PairAnswer::none_like_it), expected);
  }
}

}  // namespace
}  // namespace espalier
