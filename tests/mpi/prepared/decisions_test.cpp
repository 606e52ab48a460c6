// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/decisions.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "select/forced.hpp"

namespace espalier {
namespace {

// Asks again after 2, 3, 4, ... calls.
class EverLonger : public Policy {
 public:
  explicit EverLonger(std::vector<std::uint64_t>& asked) : asked_(asked) {}
  Ruling look(std::uint64_t ordinal) override {
    asked_.push_back(ordinal);
    return {.choice = {.radix = static_cast<int>(asked_.size())}, .calls = asked_.size() + 1, .wants_seconds = true};
  }
  void observe(std::uint64_t ordinal, std::size_t bytes, const CallTimes& times) override {
    asked_.insert(asked_.end(), {ordinal, bytes, static_cast<std::uint64_t>(times.taken)});
  }

 private:
  std::vector<std::uint64_t>& asked_;
};

Problem broadcast_of(std::size_t bytes) { return {.collective = Collective::bcast, .count = bytes}; }

Selector in_turn() {
  Settings settings;
  EXPECT_EQ(force("bcast:in-turn", settings), "");
  return Selector(settings);
}

TEST(ChangingDecision, is_asked_at_the_calls_that_it_names) {
  std::vector<std::uint64_t> asked;
  ChangingDecision decision(context_of(broadcast_of(8)), Decision(std::make_unique<EverLonger>(asked)));
  std::vector<int> radices;
  for (int call = 0; call < 9; ++call) radices.push_back(decision.next().choice.radix);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 2, 5}));
  EXPECT_EQ(radices, (std::vector<int>{1, 1, 2, 2, 2, 3, 3, 3, 3}));
  EXPECT_EQ(decision.end(), 9u);
  EXPECT_TRUE(decision.is_over());
}

TEST(ChangingDecision, hears_how_long_calls_took_if_it_wants_to) {
  std::vector<std::uint64_t> asked;
  ChangingDecision decision(context_of(broadcast_of(8)), Decision(std::make_unique<EverLonger>(asked)));
  (void)decision.next();
  EXPECT_TRUE(decision.wants_seconds());
  decision.observe(8, {.taken = 17});
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 0, 8, 17}));
}

TEST(Decisions, that_hold_for_ever_are_not_kept) {
  Decisions decisions;
  Settings settings;
  settings.policy = TuningPolicy::estimate;
  EXPECT_EQ(decisions.find(Selector(settings), broadcast_of(8), {.size = 4}).changing, nullptr);
}

TEST(Decisions, that_change_are_kept_for_their_context) {
  Decisions decisions;
  const Selector selector = in_turn();
  ChangingDecision* const first = decisions.find(selector, broadcast_of(8), {.size = 4}).changing;
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->next().choice.native());
  EXPECT_FALSE(first->next().choice.native());
  EXPECT_EQ(decisions.find(selector, broadcast_of(8), {.size = 4}).changing, first);
  EXPECT_NE(decisions.find(selector, broadcast_of(16), {.size = 4}).changing, first);
}

TEST(Decisions, begin_anew_when_forgotten) {
  Decisions decisions;
  const Selector selector = in_turn();
  for (int k = 0; k < 2; ++k) (void)decisions.find(selector, broadcast_of(8), {.size = 4}).changing->next();
  decisions.clear();
  EXPECT_TRUE(decisions.find(selector, broadcast_of(8), {.size = 4}).changing->next().choice.native());
}

TEST(Decisions, are_kept_for_so_many_contexts_only) {
  Decisions decisions;
  const Selector selector = in_turn();
  const auto rooted_at = [](Rank root) { return Problem{.collective = Collective::bcast, .root = root, .count = 8}; };
  for (Rank root = 0; root < 1024; ++root) {
    EXPECT_NE(decisions.find(selector, rooted_at(root), {.size = 5000}).changing, nullptr);
  }
  const Decisions::Found more = decisions.find(selector, rooted_at(4000), {.size = 5000});
  EXPECT_EQ(more.changing, nullptr);
  EXPECT_TRUE(more.choice.native());
  EXPECT_NE(decisions.find(selector, rooted_at(17), {.size = 5000}).changing, nullptr);
}

}  // namespace
}  // namespace espalier
