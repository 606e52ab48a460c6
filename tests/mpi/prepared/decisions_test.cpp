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
  RunCalls run(std::uint64_t ordinal) override {
    asked_.push_back(ordinal);
    return {.choice = {.radix = static_cast<int>(asked_.size())}, .calls = asked_.size() + 1, .is_timed = true};
  }
  std::optional<CallReport> take(const PolicyResult& result) override {
    if (const auto* call = std::get_if<CallEnded>(&result))
      asked_.insert(asked_.end(), {call->ordinal, call->bytes, static_cast<std::uint64_t>(call->times.taken)});
    return std::nullopt;
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

TEST(Decision, is_asked_at_the_calls_that_it_names) {
  std::vector<std::uint64_t> asked;
  Decision decision(context_of(broadcast_of(8)), std::make_unique<EverLonger>(asked));
  std::vector<int> radices;
  for (int call = 0; call < 9; ++call) radices.push_back(decision.next().choice.radix);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 2, 5}));
  EXPECT_EQ(radices, (std::vector<int>{1, 1, 2, 2, 2, 3, 3, 3, 3}));
  EXPECT_EQ(decision.end(), 9u);
  EXPECT_FALSE(decision.counter() < decision.end());
}

TEST(Decision, receives_how_long_calls_took_if_they_are_timed) {
  std::vector<std::uint64_t> asked;
  Decision decision(context_of(broadcast_of(8)), std::make_unique<EverLonger>(asked));
  (void)decision.next();
  EXPECT_TRUE(decision.is_timed());
  decision.note(8, {.taken = 17});
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 0, 8, 17}));
}

// Exchanges before each call that it is asked of.
class Sociable : public EverLonger {
 public:
  using EverLonger::EverLonger;
  std::optional<PolicyExchange> exchange(std::uint64_t /*ordinal*/, Asked asked) override {
    return asked == Asked::together ? std::optional<PolicyExchange>(SumOverRanks{}) : std::nullopt;
  }
};

TEST(Decision, counts_a_call_once_its_ranks_have_exchanged_what_they_had_to) {
  std::vector<std::uint64_t> asked;
  Decision decision(context_of(broadcast_of(8)), std::make_unique<Sociable>(asked));
  EXPECT_TRUE(std::holds_alternative<SumOverRanks>(decision.next(Asked::together)));
  EXPECT_TRUE(std::holds_alternative<SumOverRanks>(decision.next(Asked::together)));  // the first try has failed
  EXPECT_TRUE(std::holds_alternative<RunCalls>(decision.next(Asked::again)));
  EXPECT_TRUE(std::holds_alternative<RunCalls>(decision.next(Asked::together)));  // runs still
  EXPECT_TRUE(std::holds_alternative<SumOverRanks>(decision.next(Asked::together)));
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0}));
}

class Finishing : public EverLonger {
 public:
  using EverLonger::EverLonger;
  std::optional<CallReport> take(const PolicyResult& result) override {
    if (std::holds_alternative<Finished>(result)) throw std::bad_alloc();
    return std::nullopt;
  }
};

TEST(Decision, is_finished_even_if_nothing_can_be_kept_of_it) {
  std::vector<std::uint64_t> asked;
  Decision decision(context_of(broadcast_of(8)), std::make_unique<Finishing>(asked));
  EXPECT_THROW(decision.take(Finished{}), std::bad_alloc);
  decision.finish();
}

TEST(Decisions, that_hold_permanently_are_not_kept) {
  Decisions decisions;
  Settings settings;
  settings.policy = TuningPolicy::estimate;
  EXPECT_EQ(decisions.find(Selector(settings), broadcast_of(8), {.size = 4}).changing, nullptr);
}

TEST(Decisions, that_change_are_kept_for_their_context) {
  Decisions decisions;
  const Selector selector = in_turn();
  Decision* const first = decisions.find(selector, broadcast_of(8), {.size = 4}).changing;
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->next().choice.native());
  EXPECT_FALSE(first->next().choice.native());
  EXPECT_EQ(decisions.find(selector, broadcast_of(8), {.size = 4}).changing, first);
  EXPECT_NE(decisions.find(selector, broadcast_of(16), {.size = 4}).changing, first);
}

TEST(Decisions, begin_again_when_forgotten) {
  Decisions decisions;
  const Selector selector = in_turn();
  for (int k = 0; k < 2; ++k) (void)decisions.find(selector, broadcast_of(8), {.size = 4}).changing->next();
  decisions.clear();
  EXPECT_TRUE(decisions.find(selector, broadcast_of(8), {.size = 4}).changing->next().choice.native());
}

TEST(Decisions, are_kept_for_a_limited_number_of_contexts) {
  Decisions decisions;
  const Selector selector = in_turn();
  const auto rooted_at = [](Rank root) { return Problem{.collective = Collective::bcast, .root = root, .count = 8}; };
  for (Rank root = 0; root < 1024; ++root) {
    EXPECT_NE(decisions.find(selector, rooted_at(root), {.size = 5000}).changing, nullptr);
  }
  const Decisions::ChoiceOrDecision more = decisions.find(selector, rooted_at(4000), {.size = 5000});
  EXPECT_EQ(more.changing, nullptr);
  EXPECT_TRUE(more.choice.native());
  EXPECT_NE(decisions.find(selector, rooted_at(17), {.size = 5000}).changing, nullptr);
}

}  // namespace
}  // namespace espalier
