// SPDX-License-Identifier: Apache-2.0
#include "settings/words.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

using Words = std::vector<std::string_view>;

TEST(Split, keeps_empty_parts) {
  EXPECT_EQ(split("a,b", ','), (Words{"a", "b"}));
  EXPECT_EQ(split("", ','), (Words{""}));
  EXPECT_EQ(split(",a,", ','), (Words{"", "a", ""}));
}

TEST(JoinWords, reads_as_a_list) {
  EXPECT_EQ(join_words(Words{}, " or "), "");
  EXPECT_EQ(join_words(Words{"a"}, " or "), "a");
  EXPECT_EQ(join_words(Words{"a", "b", "c"}, " or "), "a, b or c");
}

TEST(NearestWord, is_found_when_few_letters_differ) {
  const Words words = {"chain", "circulant", "ring"};
  EXPECT_EQ(nearest_word("rign", words), "ring");
  EXPECT_EQ(nearest_word("circulent", words), "circulant");
  EXPECT_EQ(nearest_word("hypercube", words), "");
}

TEST(Advice, names_the_word_that_was_meant_or_else_all) {
  const std::string_view words[] = {"ring", "chain"};
  EXPECT_EQ(advice("rign", words), "did you mean ring?");
  EXPECT_EQ(advice("hypercube", words), "allowed: ring or chain");
}

}  // namespace
}  // namespace espalier
