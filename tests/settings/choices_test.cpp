// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iterator>

#include "settings/settings.hpp"

namespace espalier {
namespace {

std::vector<ForcedChoice> parsed(std::string_view text) {
  std::vector<ForcedChoice> choices;
  EXPECT_EQ(parse_choices(text, choices), "") << text;
  return choices;
}

TEST(Choices, are_read_with_their_parameters) {
  const auto choices =
      parsed("allreduce:ring,segment=16KiB,window=8,leaders=2;bcast:native;reduce:knomial,radix=4,segment=0");
  const std::vector<ForcedChoice> expected = {
      {.collective = Collective::bcast, .algorithm = "native"},
      {.collective = Collective::reduce, .algorithm = "knomial", .segment_bytes = 0, .radix = 4},
      {.collective = Collective::allreduce, .algorithm = "ring", .segment_bytes = 16384, .window = 8, .leaders = 2},
  };
  EXPECT_EQ(choices, expected);
}

TEST(Choices, may_be_all_algorithms_in_turn) {
  EXPECT_TRUE(parsed("allreduce:in-turn").front().in_turn());
  EXPECT_FALSE(parsed("allreduce:ring").front().in_turn());
}

TEST(Choices, are_none_when_the_text_is_empty) { EXPECT_TRUE(parsed("").empty()); }

TEST(Choices, are_read_back_when_they_were_written) {
  const std::string text = "bcast:native;allreduce:ring,segment=16KiB,window=8,radix=3";
  EXPECT_EQ(format_choices(parsed(text)), text);
}

struct Refused {
  const char* text;
  std::string error;
};

// "bcast, reduce or allreduce"
std::string every_collective() {
  std::string text;
  for (const Collective collective : all_collectives) {
    const bool is_last = collective == *std::rbegin(all_collectives);
    text += (text.empty() ? "" : is_last ? " or " : ", ") + std::string(name_of(collective));
  }
  return text;
}

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.text; }

class RefusedChoices : public testing::TestWithParam<Refused> {};

TEST_P(RefusedChoices, say_what_is_allowed_and_change_nothing) {
  auto choices = parsed("bcast:native");
  const auto before = choices;
  EXPECT_EQ(parse_choices(GetParam().text, choices), GetParam().error);
  EXPECT_EQ(choices, before);
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedChoices,
    testing::Values(
        Refused{"alreduce:ring", "'alreduce' is no collective; did you mean allreduce?"},
        Refused{"bcats:ring", "'bcats' is no collective; did you mean bcast?"},
        Refused{"gathre:ring", "'gathre' is no collective; did you mean gather?"},
        Refused{";", "'' is no collective; allowed: " + every_collective()},
        Refused{"bcast:chain;", "'' is no collective; allowed: " + every_collective()},
        Refused{"bcast", "no algorithm is given for bcast; allowed: bcast:ALGORITHM, or bcast:native"},
        Refused{"bcast:,window=1", "no algorithm is given for bcast; allowed: bcast:ALGORITHM, or bcast:native"},
        Refused{"bcast:chain;bcast:native", "bcast is given twice; allowed: one choice per collective"},
        Refused{"bcast:chain,window=1,window=2", "window is given twice"},
        Refused{"bcast:chain,window=0", "window=0; allowed: 1 to 4096"},
        Refused{"bcast:chain,window", "window=; allowed: 1 to 4096"},
        Refused{"bcast:chain,radix=x", "radix=x; allowed: 2 to 64"},
        Refused{"bcast:chain,leaders=0", "leaders=0; allowed: 1 to 1024"},
        Refused{"bcast:chain,segment=64k", "segment=64k; allowed: 0, or 256 to 1GiB, in bytes or with KiB, MiB or GiB"},
        Refused{"bcast:chain,segment=255", "segment=255; allowed: 0, or 256 to 1GiB, in bytes or with KiB, MiB or GiB"},
        Refused{"bcast:chain,segment=2GiB",
                "segment=2GiB; allowed: 0, or 256 to 1GiB, in bytes or with KiB, MiB or GiB"},
        Refused{"bcast:chain,depth=2",
                "'depth' is no parameter; allowed: segment, window, radix, leaders, over or arrange"},
        Refused{"bcast:chain,segmnt=2", "'segmnt' is no parameter; did you mean segment?"}));

}  // namespace
}  // namespace espalier
