// SPDX-License-Identifier: Apache-2.0
#include "policy/by_kin.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/algorithm.hpp"
#include "select/choice_text.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {
namespace {

constexpr Problem exchange{.collective = Collective::alltoall, .count = 1 << 16};
constexpr Shape eight{.size = 8};

std::vector<Alternative> alternatives() { return alternatives_for(exchange, eight, {}, Reproducible::run); }

// Of which there is no other cut.
std::size_t known_one() {
  const std::vector<Alternative> all = alternatives();
  const auto count = [&](const Algorithm* algorithm) {
    return std::ranges::count_if(all, [&](const Alternative& one) { return one.choice.algorithm == algorithm; });
  };
  std::size_t found = 1;
  while (count(all[found].choice.algorithm) > 1) ++found;
  return found;
}

// Of half the size.
ContextMemory at_half(const Choice& choice, double times_native, double sd = .01) {
  Problem half = exchange;
  half.count /= 2;
  return {context_of(half), 300, {{text_of(choice), times_native, sd}, {"native", 1, .01}}};
}

double log_ratio(const std::vector<Alternative>& all, std::size_t which) {
  return all[which].estimate.log_seconds - all[0].estimate.log_seconds;
}

TEST(Kin, an_alternative_enters_with_what_it_took_at_another_size_next_to_the_native_mpi) {
  const std::vector<Alternative> before = alternatives();
  std::vector<Alternative> all = before;
  const std::vector<ContextMemory> kin = {at_half(before[known_one()].choice, 10)};
  EXPECT_TRUE(expect_by_kin(kin, exchange, eight, all));
  EXPECT_GT(log_ratio(all, known_one()), tuning::log_of(4));
  EXPECT_LT(all[known_one()].estimate.sd, before[known_one()].estimate.sd);
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (other == known_one()) continue;
    EXPECT_EQ(all[other].estimate.log_seconds, before[other].estimate.log_seconds);
    EXPECT_EQ(all[other].estimate.sd, before[other].estimate.sd);
  }
}

TEST(Kin, one_that_was_cut_otherwise_tells_less) {
  const std::vector<Alternative> before = alternatives();
  std::vector<Alternative> same = before, otherwise = before;
  Choice choice = before[known_one()].choice;
  choice.cut.window += 1;
  EXPECT_TRUE(expect_by_kin(std::vector{at_half(before[known_one()].choice, 10)}, exchange, eight, same));
  EXPECT_TRUE(expect_by_kin(std::vector{at_half(choice, 10)}, exchange, eight, otherwise));
  EXPECT_GT(log_ratio(otherwise, known_one()), log_ratio(before, known_one()));
  EXPECT_LT(log_ratio(otherwise, known_one()), log_ratio(same, known_one()));
}

TEST(Kin, another_radix_is_another_algorithm) {
  Choice bruck{.algorithm = find_algorithm(Collective::alltoall, "bruck"), .cut = default_cut};
  ASSERT_NE(bruck.algorithm, nullptr);
  ASSERT_TRUE(bruck.algorithm->takes_radix);
  std::vector<Alternative> all = {{{}, {0, .5}}, {bruck, {0, .5}}};
  bruck.radix = 4;
  EXPECT_FALSE(expect_by_kin(std::vector{at_half(bruck, 10)}, exchange, eight, all));
  EXPECT_EQ(all[1].estimate.log_seconds, 0);
}

TEST(Kin, what_was_not_compared_with_the_native_mpi_tells_nothing) {
  std::vector<Alternative> all = alternatives();
  ContextMemory alone = at_half(all[known_one()].choice, 10);
  alone.known_algorithms.pop_back();
  EXPECT_FALSE(expect_by_kin(std::vector{alone}, exchange, eight, all));
  EXPECT_FALSE(expect_by_kin({}, exchange, eight, all));
}

TEST(Kin, of_another_kind_has_another_hash) {
  const Choice choice = alternatives()[known_one()].choice;
  const auto hash = [&](double times_native, double sd) {
    return hash_of_kin(std::vector{at_half(choice, times_native, sd)});
  };
  EXPECT_EQ(hash(10, .1), hash(10, .1));
  EXPECT_NE(hash(10, .1), hash(11, .1));
  EXPECT_NE(hash(10, .1), hash(10, .2));
  std::vector other_size = {at_half(choice, 10, .1)};
  other_size[0].key.bytes_low /= 2;
  EXPECT_NE(hash(10, .1), hash_of_kin(other_size));
}

}  // namespace
}  // namespace espalier
