// SPDX-License-Identifier: Apache-2.0
// The MPI's function is one of ours here, which keeps what it is given.
#include "preload/small_arguments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <vector>

namespace espalier {
namespace {

std::array<Word, max_words> given;

int take(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k) {
  given = {a, b, c, d, e, f, g, h, i, j, k};
  return 17;
}

int pass(SmallArguments& arguments) { return arguments.pass_to(reinterpret_cast<void*>(&take)); }

std::vector<int> array_given(std::size_t k, std::size_t length) {
  const auto* const array = reinterpret_cast<const int*>(given[k]);
  return {array, array + length};
}

Word word_of(const void* pointer) { return reinterpret_cast<Word>(pointer); }

TEST(SmallArguments, passes_every_word_on_and_returns_what_the_function_does) {
  SmallArguments arguments({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(pass(arguments), 17);
  EXPECT_EQ(given, (std::array<Word, max_words>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(SmallArguments, numbers_that_do_not_fit_become_a_wrong_count) {
  SmallArguments arguments({INT_MAX, Word{INT_MAX} + 1, -2});
  for (std::size_t k = 0; k < 3; ++k) arguments.narrow_number(k);
  pass(arguments);
  EXPECT_EQ(given[0], INT_MAX);
  EXPECT_EQ(given[1], -1);
  EXPECT_EQ(given[2], -1);
}

TEST(SmallArguments, arrays_are_narrowed_number_by_number) {
  const std::int64_t counts[] = {3, 0, 5}, places[] = {-4, INT_MAX, INT_MIN};
  SmallArguments arguments({word_of(counts), word_of(places)});
  arguments.narrow_array(0, 3);
  arguments.narrow_array(1, 3);
  pass(arguments);
  EXPECT_EQ(array_given(0, 3), (std::vector{3, 0, 5}));
  EXPECT_EQ(array_given(1, 3), (std::vector{-4, INT_MAX, INT_MIN}));
}

TEST(SmallArguments, a_place_that_does_not_fit_makes_a_count_wrong) {
  const std::int64_t counts[] = {3, 0}, places[] = {0, std::int64_t{INT_MAX} + 1};
  SmallArguments arguments({word_of(counts), word_of(places)});
  arguments.narrow_array(0, 2);
  arguments.narrow_array(1, 2);
  pass(arguments);
  EXPECT_EQ(array_given(0, 1), (std::vector{-1}));
}

// Where others are the root, a caller's array may be missing, or hold fewer numbers than there are ranks.
TEST(SmallArguments, arrays_that_count_for_nothing_are_not_read) {
  SmallArguments arguments({0, word_of(&given)});
  arguments.narrow_array(0, 4);
  arguments.narrow_array(1, 0);
  pass(arguments);
  EXPECT_EQ(given[0], 0);
  EXPECT_NE(given[1], 0);
}

TEST(SmallArguments, arguments_in_place_are_left_out) {
  SmallArguments arguments({word_of(&given)});
  arguments.leave_out(0);
  pass(arguments);
  EXPECT_EQ(given[0], 0);
}

// A call that goes on when its function has returned, and may read its array later.
void start(Word request, std::int64_t number) {
  const std::int64_t counts[] = {number, number + 1, number + 2, number + 3, number + 4, number + 5};
  SmallArguments arguments({word_of(counts)});
  arguments.narrow_array(0, 6);
  pass(arguments);
  arguments.keep_arrays_for(request);
}

TEST(SmallArguments, arrays_live_as_long_as_the_request) {
  start(1, 10);
  const Word first = given[0];
  start(2, 20);
  EXPECT_EQ(array_given(0, 6), (std::vector{20, 21, 22, 23, 24, 25}));
  given[0] = first;
  EXPECT_EQ(array_given(0, 6), (std::vector{10, 11, 12, 13, 14, 15}));
  start(1, 30);  // the handle is given out again: the first request is over
  EXPECT_EQ(array_given(0, 6), (std::vector{30, 31, 32, 33, 34, 35}));
}

}  // namespace
}  // namespace espalier
