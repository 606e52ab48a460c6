// SPDX-License-Identifier: Apache-2.0
#include "policy/measured/shared_search.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

constexpr Problem to_all{.collective = Collective::alltoall, .count = 1 << 10};
constexpr Reproducible bits = Reproducible::run;

class Searches {
 public:
  Searches(const Problem& problem, Rank ranks, const Choice& baseline) {
    for (Rank rank = 0; rank < ranks; ++rank)
      all_.push_back(std::make_unique<SharedSearch>(problem, Shape{.size = ranks}, baseline, bits));
  }

  [[nodiscard]] const SharedSearch& operator[](std::size_t rank) const { return *all_[rank]; }

  // `state`: of the last rank; that of the others is 7.
  void share(double state) {
    std::vector<std::span<double>> numbers;
    for (std::size_t rank = 0; rank < all_.size(); ++rank) {
      numbers.push_back(all_[rank]->begin(rank + 1 == all_.size() ? state : 7));
      all_[rank]->do_part(static_cast<Rank>(rank), static_cast<Rank>(all_.size()));
    }
    for (std::size_t i = 0; i < numbers[0].size(); ++i) {
      double sum = 0;
      for (const auto& of_rank : numbers) sum += of_rank[i];
      for (const auto& of_rank : numbers) of_rank[i] = sum;
    }
  }

 private:
  std::vector<std::unique_ptr<SharedSearch>> all_;
};

void expect_alike(const std::vector<Alternative>& some, const std::vector<Alternative>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].choice, others[i].choice);
    EXPECT_EQ(some[i].estimate.log_seconds, others[i].estimate.log_seconds);
  }
}

// More ranks than plays, too.
TEST(SharedSearch, finds_what_each_rank_would_find_alone) {
  const Problem sum{.collective = Collective::allreduce, .count = 1 << 16};
  const Choice ring{.algorithm = find_algorithm(Collective::allreduce, "ring"), .cut = default_cut};
  for (const Rank ranks : {2, 5, 200}) {
    for (const auto& [problem, baseline] : {std::pair{to_all, Choice{}}, {sum, Choice{}}, {sum, ring}}) {
      Searches searches(problem, ranks, baseline);
      searches.share(7);
      const auto alone = alternatives_for(problem, {.size = ranks}, baseline, bits);
      EXPECT_GT(alone.size(), 2U);
      for (const std::size_t rank : {0, ranks - 1}) {
        EXPECT_TRUE(searches[rank].is_common(ranks));
        expect_alike(searches[rank].alternatives(), alone);
      }
    }
  }
}

// The call in which the ranks were to meet may have failed.
TEST(SharedSearch, begins_anew_where_the_ranks_did_not_meet) {
  Searches searches(to_all, 5, {});
  searches.share(7);
  searches.share(7);
  expect_alike(searches[0].alternatives(), alternatives_for(to_all, {.size = 5}, {}, bits));
}

TEST(SharedSearch, knows_ranks_that_are_elsewhere) {
  Searches searches(to_all, 5, {});
  searches.share(8);
  for (std::size_t rank = 0; rank < 5; ++rank) EXPECT_FALSE(searches[rank].is_common(5));
}

TEST(SharedSearch, of_an_order_that_must_stay_there_is_nothing_to_play) {
  const Problem sum{
      .collective = Collective::allreduce, .count = 1 << 16, .element_bytes = 8, .arithmetic = Arithmetic::commutative};
  EXPECT_EQ(ChoiceSearch(sum, {.size = 5}, {}, bits).plays(), 0U);
}

}  // namespace

}  // namespace espalier
