// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/pair_words.hpp"

#include <gtest/gtest.h>

#include "pairs/pairs_of_ranks.hpp"

namespace espalier {
namespace {

constexpr int word_tag = 7;

class PairWordsTest : public testing::TestWithParam<PairSide> {
 protected:
  [[nodiscard]] PairSide side() const { return GetParam(); }
  PairStream& mine() { return ranks[0].stream(side(), 1, word_tag); }
  PairStream& theirs() { return ranks[1].stream(other(side()), 0, word_tag); }
  FabricWord question(std::uint64_t number, std::size_t bytes = 8) {
    return question_of({.side = side(), .peer = 1, .tag = word_tag}, number, bytes, ranks[0].number());
  }
  std::optional<FabricWord> take_at(Rank rank, const FabricWord& word) {
    return take_word(&ranks[rank], PairsOfRanks::in_world(1 - rank), word);
  }
  // There and back.
  PairAnswer ask(std::uint64_t number, std::size_t bytes = 8) {
    const std::optional<FabricWord> answer = take_at(1, question(number, bytes));
    EXPECT_TRUE(answer.has_value());
    EXPECT_FALSE(take_at(0, *answer).has_value());
    return mine().answer_to(number).answer;
  }
  PairsOfRanks ranks{2};
};

TEST_P(PairWordsTest, a_question_names_the_start_and_who_asks) {
  const FabricWord word = question(5, 1000);
  EXPECT_EQ(word.run, (RunName{5, ranks[0].number()}));
  EXPECT_EQ(word.bytes, 1000u);
  EXPECT_EQ(word.side, static_cast<std::uint32_t>(side()));
}

TEST_P(PairWordsTest, nobody_like_it_is_where_there_was_never_a_request) {
  EXPECT_EQ(ask(mine().start(8)), PairAnswer::none_like_it);
  EXPECT_EQ(ranks[1].known_stream(other(side()), 0, word_tag), nullptr);
}

TEST_P(PairWordsTest, nobody_like_it_is_where_only_the_same_side_has_requests) {
  ranks[1].stream(side(), 0, word_tag).add(8);
  EXPECT_EQ(ask(mine().start(8)), PairAnswer::none_like_it);
}

TEST_P(PairWordsTest, a_request_of_the_other_side_is_there) {
  theirs().add(8);
  EXPECT_EQ(ask(mine().start(8)), PairAnswer::is_there);
}

TEST_P(PairWordsTest, a_request_that_was_freed_is_nobody_like_it) {
  theirs().add(8);
  theirs().remove(8);
  EXPECT_EQ(ask(mine().start(8)), PairAnswer::none_like_it);
}

TEST_P(PairWordsTest, a_start_of_another_length_is_answered_with_that) {
  (void)theirs().start(24);
  const std::uint64_t number = mine().start(8);
  EXPECT_EQ(ask(number), PairAnswer::other_length);
  EXPECT_EQ(mine().answer_to(number).theirs, 24u);
}

TEST_P(PairWordsTest, a_question_that_arrives_twice_is_answered_twice_alike) {
  theirs().add(8);
  const FabricWord asked = question(mine().start(8));
  const auto once = take_at(1, asked), again = take_at(1, asked);
  ASSERT_TRUE(once && again);
  EXPECT_EQ(once->kind, again->kind);
  EXPECT_EQ(once->run, again->run);
}

TEST_P(PairWordsTest, a_late_answer_to_an_earlier_start_says_nothing_of_this_one) {
  const std::uint64_t first = mine().start(8), second = mine().start(8);
  const auto late = take_at(1, question(first));
  EXPECT_FALSE(take_at(0, *late).has_value());
  EXPECT_EQ(mine().answer_to(second).answer, PairAnswer::nothing);
}

TEST_P(PairWordsTest, questions_of_both_ends_at_once_are_both_answered) {
  const std::uint64_t number = mine().start(8);
  mine().add(8);
  (void)theirs().start(8);
  const FabricWord theirs_asked =
      question_of({.side = other(side()), .peer = 0, .tag = word_tag}, number, 8, ranks[1].number());
  EXPECT_EQ(ask(number), PairAnswer::is_there);
  const auto answer = take_at(0, theirs_asked);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(take_at(1, *answer).has_value());
  EXPECT_EQ(theirs().answer_to(number).answer, PairAnswer::is_there);
}

TEST_P(PairWordsTest, where_the_pairs_are_gone_nobody_is_like_it) {
  const auto answer = take_word(nullptr, PairsOfRanks::in_world(0), question(mine().start(8)));
  ASSERT_TRUE(answer);
  EXPECT_EQ(static_cast<PairAnswer>(answer->kind), PairAnswer::none_like_it);
}

TEST_P(PairWordsTest, an_answer_that_finds_its_asker_gone_is_dropped) {
  const auto answer = take_at(1, question(mine().start(8)));
  EXPECT_FALSE(take_word(nullptr, PairsOfRanks::in_world(1), *answer).has_value());
  PairsOfRanks others(2);  // on which nobody has asked
  EXPECT_FALSE(take_word(&others[0], PairsOfRanks::in_world(1), *answer).has_value());
  EXPECT_EQ(others[0].known_stream(side(), 1, word_tag), nullptr);
}

TEST_P(PairWordsTest, a_rank_outside_of_the_communicator_meets_nobody) {
  theirs().add(8);
  const auto answer = take_word(&ranks[1], PairsOfRanks::in_world(5), question(mine().start(8)));
  ASSERT_TRUE(answer);
  EXPECT_EQ(static_cast<PairAnswer>(answer->kind), PairAnswer::none_like_it);
}

INSTANTIATE_TEST_SUITE_P(BothSides, PairWordsTest, testing::Values(PairSide::sends, PairSide::receives),
                         [](const auto& tested) { return tested.param == PairSide::sends ? "sends" : "receives"; });

}  // namespace
}  // namespace espalier
