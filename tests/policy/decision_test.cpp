// SPDX-License-Identifier: Apache-2.0
#include "policy/decision.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// Wants to know of two calls, and then cuts larger if they took long.
class OnceTold : public Policy {
 public:
  Ruling look(std::uint64_t ordinal) override {
    if (ordinal < 2) return {.choice = {.cut = {.segment_bytes = 1}}, .calls = 2 - ordinal, .wants_seconds = true};
    return {.choice = {.cut = {.segment_bytes = seconds_ > 1 ? 3u : 2u}}};
  }
  void observe(std::uint64_t /*ordinal*/, std::size_t /*bytes*/, const CallTimes& times) override {
    seconds_ += times.taken;
  }

 private:
  double seconds_ = 0;
};

TEST(Decision, holds_for_ever_if_nothing_else_was_said) {
  Decision decision(Choice{.radix = 3});
  decision.observe(0, 8, {.taken = 1});
  EXPECT_EQ(decision.look(17).choice.radix, 3);
  EXPECT_EQ(decision.look(18).calls, 0u);
}

TEST(Decision, is_asked_again_when_its_calls_have_passed_and_goes_by_their_times) {
  Decision decision(std::make_unique<OnceTold>());
  const Ruling first = decision.look(0);
  EXPECT_TRUE(first.wants_seconds);
  for (std::uint64_t call = 0; call < first.calls; ++call) decision.observe(call, 8, {.taken = 0.75});
  const Ruling last = decision.look(first.calls);
  EXPECT_EQ(last.choice.cut.segment_bytes, 3u);
  EXPECT_EQ(last.calls, 0u);
}

TEST(Choice, is_equal_to_one_that_does_the_same_for_another_reason) {
  EXPECT_EQ((Choice{.reason = "this"}), (Choice{.reason = "that"}));
  EXPECT_NE((Choice{.radix = 2}), (Choice{.radix = 3}));
  EXPECT_NE((Choice{.cut = {.window = 1}}), (Choice{.cut = {.window = 2}}));
}

}  // namespace
}  // namespace espalier
