// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "pairs/pairs_of_ranks.hpp"

namespace espalier {
namespace {

constexpr int stream_tag = 7;
constexpr std::uint64_t start_number(std::uint64_t start) { return std::uint64_t{stream_tag} << 32 | start; }

TEST(PairSide, the_other_side_of_a_send_receives) {
  EXPECT_EQ(other(PairSide::sends), PairSide::receives);
  EXPECT_EQ(other(PairSide::receives), PairSide::sends);
}

TEST(PairStream, starts_are_numbered_in_their_order_alike_at_both_ends) {
  PairStream sends(stream_tag), receives(stream_tag);
  for (std::uint64_t start = 1; start <= 5; ++start) {
    EXPECT_EQ(sends.start(8 * start), start_number(start));
    EXPECT_EQ(receives.start(100), start_number(start));
  }
}

TEST(PairStream, starts_of_other_tags_have_other_numbers) {
  PairStream low(0), high(std::numeric_limits<int>::max());
  EXPECT_EQ(low.start(1), 1u);
  EXPECT_EQ(high.start(1) >> 32, static_cast<std::uint64_t>(std::numeric_limits<int>::max()));
}

TEST(PairStream, starts_of_several_threads_never_share_a_number) {
  constexpr int threads = 4, starts = 500;
  PairStream stream(stream_tag);
  std::vector<std::vector<std::uint64_t>> found(threads);
  {
    std::vector<std::jthread> running;
    for (auto& numbers : found) {
      running.emplace_back([&stream, &numbers] {
        for (int k = 0; k < starts; ++k) numbers.push_back(stream.start(8));
      });
    }
  }
  std::vector<std::uint64_t> all;
  for (const auto& numbers : found) {
    EXPECT_TRUE(std::ranges::is_sorted(numbers));
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  std::ranges::sort(all);
  for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], start_number(k + 1));
}

// What the other end of a start is answered, by what has happened here.
class PairStreamAnswerTest : public testing::Test {
 protected:
  [[nodiscard]] PairAnswer answer_for(std::uint64_t start, std::size_t bytes) {
    return stream.answer_for(start_number(start), bytes, mine);
  }
  PairStream stream{stream_tag};
  std::uint32_t mine = 77;
};

TEST_F(PairStreamAnswerTest, there_is_none_before_any_request_is_made) {
  EXPECT_EQ(answer_for(1, 8), PairAnswer::none_like_it);
  EXPECT_EQ(mine, 0u);
}

TEST_F(PairStreamAnswerTest, a_request_of_that_length_may_still_be_started) {
  stream.add(8);
  EXPECT_EQ(answer_for(1, 8), PairAnswer::is_there);
  EXPECT_EQ(answer_for(1, 9), PairAnswer::none_like_it);
}

TEST_F(PairStreamAnswerTest, a_start_of_that_number_decides_by_its_length) {
  stream.add(8);
  stream.add(16);
  (void)stream.start(16);
  EXPECT_EQ(answer_for(1, 16), PairAnswer::is_there);
  EXPECT_EQ(answer_for(1, 8), PairAnswer::other_length);
  EXPECT_EQ(mine, 16u);
}

TEST_F(PairStreamAnswerTest, only_the_latest_start_decides) {
  stream.add(16);
  (void)stream.start(16);
  (void)stream.start(16);
  EXPECT_EQ(answer_for(1, 8), PairAnswer::none_like_it);
  EXPECT_EQ(answer_for(2, 8), PairAnswer::other_length);
  EXPECT_EQ(answer_for(3, 16), PairAnswer::is_there);
}

TEST_F(PairStreamAnswerTest, a_request_that_is_freed_is_gone_with_the_last_of_its_length) {
  stream.add(8);
  stream.add(8);
  stream.remove(8);
  EXPECT_EQ(answer_for(1, 8), PairAnswer::is_there);
  stream.remove(8);
  EXPECT_EQ(answer_for(1, 8), PairAnswer::none_like_it);
}

TEST_F(PairStreamAnswerTest, a_request_that_is_freed_while_its_start_is_under_way_is_still_there) {
  stream.add(8);
  (void)stream.start(8);
  stream.remove(8);
  EXPECT_EQ(answer_for(1, 8), PairAnswer::is_there);
  EXPECT_EQ(answer_for(2, 8), PairAnswer::none_like_it);
}

TEST_F(PairStreamAnswerTest, lengths_beyond_32_bits_are_told_apart_as_far_as_those_tell) {
  const std::size_t huge = (std::size_t{1} << 32) + 8;
  (void)stream.start(huge);
  EXPECT_EQ(answer_for(1, huge), PairAnswer::is_there);
  EXPECT_EQ(answer_for(1, huge + 1), PairAnswer::other_length);
  EXPECT_EQ(answer_for(1, 8), PairAnswer::is_there);
}

// What the other end has answered.
TEST(PairStreamAnswers, nothing_is_known_before_an_answer_arrives) {
  EXPECT_EQ(PairStream(stream_tag).answer_to(start_number(1)).answer, PairAnswer::nothing);
}

TEST(PairStreamAnswers, an_answer_belongs_to_the_start_that_it_is_about) {
  PairStream stream(stream_tag);
  stream.note_answer(start_number(2), PairAnswer::other_length, 24);
  EXPECT_EQ(stream.answer_to(start_number(1)).answer, PairAnswer::nothing);
  EXPECT_EQ(stream.answer_to(start_number(2)).answer, PairAnswer::other_length);
  EXPECT_EQ(stream.answer_to(start_number(2)).theirs, 24u);
  EXPECT_EQ(stream.answer_to(start_number(3)).answer, PairAnswer::nothing);
}

TEST(PairStreamAnswers, an_answer_that_arrives_twice_says_the_same) {
  PairStream stream(stream_tag);
  for (int k = 0; k < 2; ++k) stream.note_answer(start_number(1), PairAnswer::none_like_it, 0);
  EXPECT_EQ(stream.answer_to(start_number(1)).answer, PairAnswer::none_like_it);
}

TEST(PairStreamAnswers, only_the_latest_answer_is_kept_whatever_it_is_about) {
  PairStream stream(stream_tag);
  stream.note_answer(start_number(2), PairAnswer::none_like_it, 0);
  stream.note_answer(start_number(1), PairAnswer::is_there, 8);  // late
  EXPECT_EQ(stream.answer_to(start_number(2)).answer, PairAnswer::nothing);
  EXPECT_EQ(stream.answer_to(start_number(1)).answer, PairAnswer::is_there);
}

TEST(PairStreamAnswers, the_highest_tag_does_not_confuse_them) {
  constexpr int highest = std::numeric_limits<int>::max();
  PairStream stream(highest);
  const std::uint64_t number = stream.start(8);
  stream.note_answer(number, PairAnswer::is_there, 8);
  EXPECT_EQ(stream.answer_to(number).answer, PairAnswer::is_there);
  EXPECT_EQ(stream.answer_to(number + 1).answer, PairAnswer::nothing);
}

TEST(Pairs, streams_are_told_apart_by_side_peer_and_tag) {
  PairsOfRanks ranks(1);
  Pairs& pairs = ranks[0];
  PairStream& stream = pairs.stream(PairSide::sends, 1, stream_tag);
  EXPECT_EQ(&pairs.stream(PairSide::sends, 1, stream_tag), &stream);
  for (PairStream* const other :
       {&pairs.stream(PairSide::receives, 1, stream_tag), &pairs.stream(PairSide::sends, 2, stream_tag),
        &pairs.stream(PairSide::sends, 1, stream_tag + 1)}) {
    EXPECT_NE(other, &stream);
  }
}

TEST(Pairs, a_stream_is_known_once_a_request_has_used_it) {
  PairsOfRanks ranks(1);
  EXPECT_EQ(ranks[0].known_stream(PairSide::sends, 1, stream_tag), nullptr);
  PairStream& stream = ranks[0].stream(PairSide::sends, 1, stream_tag);
  EXPECT_EQ(ranks[0].known_stream(PairSide::sends, 1, stream_tag), &stream);
  EXPECT_EQ(ranks[0].known_stream(PairSide::receives, 1, stream_tag), nullptr);
}

TEST(Pairs, are_found_by_their_number_for_as_long_as_somebody_holds_them) {
  auto ranks = std::make_unique<PairsOfRanks>(1);
  const std::uint64_t number = (*ranks)[0].number();
  EXPECT_EQ(Pairs::find(number).get(), &(*ranks)[0]);
  EXPECT_EQ(Pairs::find(number + 1), nullptr);
  const std::shared_ptr<Pairs> held = Pairs::find(number);
  ranks->forget(0);
  EXPECT_EQ(Pairs::find(number), held);
}

TEST(Pairs, are_not_found_once_they_are_gone) {
  PairsOfRanks ranks(1);
  const std::uint64_t number = ranks[0].number();
  ranks.forget(0);
  EXPECT_EQ(Pairs::find(number), nullptr);
}

TEST(Pairs, number_their_starts_by_themselves) {
  PairsOfRanks ranks(1);
  EXPECT_EQ(ranks[0].tags()->endpoint().numbering, Numbering::by_itself);
}

}  // namespace
}  // namespace espalier
