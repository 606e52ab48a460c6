// SPDX-License-Identifier: Apache-2.0
// Two ends that ask each other: words that are lost, late, doubled and reordered en route, and ends that are not
// there, are gone, or are longer than the other one.
#include "mpi/pairs/promise.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "pairs/fake_pair_fabric.hpp"
#include "pairs/pairs_of_ranks.hpp"

namespace espalier {
namespace {

using namespace std::chrono_literals;

constexpr int promise_tag = 7;
constexpr std::size_t promise_bytes = 24;

// Rank 0 waits; rank 1 answers.
class PromiseTest : public testing::Test {
 protected:
  PromiseTest() {
    fabric.passes = 500ms;
    fabric.carry = [this](Rank to, const FabricWord& word) { carry(to, word); };
  }
  PairStream& theirs() { return ranks[1].stream(PairSide::receives, 0, promise_tag); }
  void begin() { promise.begin(stream.start(promise_bytes)); }
  // Looks until the clock was asked `times` times; true if it was found broken.
  bool look(int times) {
    for (unsigned k = 0; k < static_cast<unsigned>(times) * Promise::looks_between_times; ++k) {
      if (promise.is_found_broken()) return true;
    }
    return false;
  }
  // What it says meanwhile.
  std::string said(int times, bool is_broken) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(look(times), is_broken);
    return testing::internal::GetCapturedStderr();
  }
  void carry(Rank to, const FabricWord& word) {
    EXPECT_EQ(to, PairsOfRanks::in_world(1));
    const auto answer = take_word(is_gone ? nullptr : &ranks[1], PairsOfRanks::in_world(0), word);
    ASSERT_TRUE(answer);
    if (is_answer_lost) return;
    answers.push_back(*answer);
    if (!is_answer_late) deliver();
  }
  void deliver() {
    for (const FabricWord& answer : answers) (void)take_word(&ranks[0], PairsOfRanks::in_world(1), answer);
    answers.clear();
  }

  PairsOfRanks ranks{2};
  FakePairFabric fabric;
  PairStream& stream = ranks[0].stream(PairSide::sends, 1, promise_tag);
  Promise promise{fabric, ranks[0], stream, {.side = PairSide::sends, .peer = 1, .tag = promise_tag}, promise_bytes};
  bool is_gone = false, is_answer_lost = false, is_answer_late = false;
  std::vector<FabricWord> answers;
};

TEST_F(PromiseTest, the_clock_is_asked_seldom) {
  begin();
  const auto before = fabric.time;
  for (unsigned k = 1; k < Promise::looks_between_times; ++k) EXPECT_FALSE(promise.is_found_broken());
  EXPECT_EQ(fabric.time, before);
  EXPECT_FALSE(promise.is_found_broken());
  EXPECT_EQ(fabric.time, before + fabric.passes);
}

TEST_F(PromiseTest, nobody_asks_within_the_first_second) {
  begin();
  EXPECT_FALSE(look(3));
  EXPECT_TRUE(fabric.sent.empty());
  EXPECT_FALSE(look(1));
  ASSERT_EQ(fabric.sent.size(), 1u);
  EXPECT_EQ(fabric.sent[0].to, PairsOfRanks::in_world(1));
  EXPECT_EQ(fabric.sent[0].word.bytes, promise_bytes);
}

TEST_F(PromiseTest, a_request_that_is_there_may_be_started_as_late_as_it_likes) {
  theirs().add(promise_bytes);
  begin();
  EXPECT_EQ(said(1000, false), "");
  EXPECT_GT(fabric.sent.size(), 100u);
}

TEST_F(PromiseTest, where_nobody_is_there_it_is_said_and_ends_after_the_timeout) {
  begin();
  const std::string text = said(1000, true);
  EXPECT_NE(
      text.find("rank 0's persistent send of 24 bytes with tag 7 to rank 1 waits, and there is no persistent one"),
      std::string::npos);
  EXPECT_NE(text.find("ESPALIER_LANE_TIMEOUT is over"), std::string::npos);
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
}

TEST_F(PromiseTest, a_receive_is_named_as_one) {
  PairStream& receives = ranks[0].stream(PairSide::receives, 1, promise_tag);
  promise.~Promise();
  new (&promise)
      Promise(fabric, ranks[0], receives, {.side = PairSide::receives, .peer = 1, .tag = promise_tag}, promise_bytes);
  fabric.its_timeout = 2s;
  promise.begin(receives.start(promise_bytes));
  EXPECT_NE(said(100, true).find("rank 0's persistent receive of 24 bytes with tag 7 from rank 1"), std::string::npos);
}

TEST_F(PromiseTest, another_length_ends_it_with_the_first_answer) {
  (void)theirs().start(promise_bytes + 8);
  begin();
  EXPECT_NE(said(6, true).find("to rank 1 meets one of 32 bytes."), std::string::npos);
  EXPECT_EQ(fabric.sent.size(), 1u);
}

TEST_F(PromiseTest, questions_that_are_lost_are_asked_again) {
  fabric.carry = nullptr;
  begin();
  EXPECT_EQ(said(1000, false), "");
  EXPECT_GT(fabric.sent.size(), 100u);
  fabric.carry = [this](Rank to, const FabricWord& word) { carry(to, word); };
  (void)theirs().start(promise_bytes + 8);
  EXPECT_NE(said(6, true), "");
}

TEST_F(PromiseTest, answers_that_are_lost_are_asked_for_again) {
  is_answer_lost = true;
  begin();
  EXPECT_EQ(said(1000, false), "");
  is_answer_lost = false;
  EXPECT_NE(said(1000, true), "");
}

TEST_F(PromiseTest, late_and_doubled_answers_say_what_they_said) {
  is_answer_late = true;
  begin();
  EXPECT_EQ(said(20, false), "");
  EXPECT_GT(answers.size(), 3u);
  is_answer_late = false;
  deliver();
  EXPECT_EQ(said(20, false), "");
  EXPECT_NE(said(1000, true), "");
}

TEST_F(PromiseTest, an_answer_to_an_earlier_start_does_not_end_this_one) {
  is_answer_late = true;
  begin();
  EXPECT_FALSE(look(6));
  (void)theirs().start(promise_bytes + 8);
  EXPECT_FALSE(look(6));
  theirs().add(promise_bytes);
  begin();  // the next one, which may meet something
  deliver();
  is_answer_late = false;
  EXPECT_EQ(said(1000, false), "");
}

TEST_F(PromiseTest, a_peer_that_frees_its_request_is_waited_for_no_longer_than_the_timeout) {
  theirs().add(promise_bytes);
  begin();
  EXPECT_FALSE(look(1000));
  theirs().remove(promise_bytes);
  EXPECT_NE(said(1000, true).find("ESPALIER_LANE_TIMEOUT is over"), std::string::npos);
}

TEST_F(PromiseTest, a_peer_whose_communicator_is_gone_has_nobody_there) {
  theirs().add(promise_bytes);
  is_gone = true;
  begin();
  EXPECT_NE(said(1000, true), "");
}

TEST_F(PromiseTest, a_late_peer_is_met_after_it_was_missed) {
  begin();
  EXPECT_NE(said(60, false).find("as yet"), std::string::npos);
  theirs().add(promise_bytes);
  EXPECT_EQ(said(1000, false), "");
  begin();
  EXPECT_EQ(said(1000, false), "");
}

TEST_F(PromiseTest, each_start_has_the_whole_timeout) {
  for (int start = 0; start < 3; ++start) {
    begin();
    EXPECT_FALSE(look(110));
  }
  EXPECT_TRUE(look(200));
}

}  // namespace
}  // namespace espalier
