// SPDX-License-Identifier: Apache-2.0
#include "select/forced.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

std::string error_of(const char* variable) {
  const char* const environment[] = {variable};
  const ParsedSettings parsed = checked_settings(environment);
  EXPECT_NE(parsed.settings.enabled, !parsed.ok());
  return parsed.error;
}

TEST(CheckedSettings, accept_algorithms_with_parameters_that_they_take) {
  EXPECT_EQ(error_of("ESPALIER_ALGORITHM=bcast:knomial,radix=4;allreduce:ring,segment=1MiB,window=2;barrier:native"),
            "");
}

TEST(CheckedSettings, refuse_an_algorithm_that_the_collective_does_not_have) {
  const std::string error = error_of("ESPALIER_ALGORITHM=barrier:ring");
  EXPECT_TRUE(error.starts_with("ESPALIER_ALGORITHM=barrier:ring: barrier has no algorithm 'ring'; allowed: "))
      << error;
  EXPECT_TRUE(error.ends_with(", native or in-turn")) << error;
  EXPECT_EQ(error_of("ESPALIER_ALGORITHM=bcast:binray"),
            "ESPALIER_ALGORITHM=bcast:binray: bcast has no algorithm 'binray'; did you mean binary?");
}

TEST(CheckedSettings, refuse_a_radix_where_none_is_taken) {
  EXPECT_EQ(error_of("ESPALIER_ALGORITHM=bcast:chain,radix=4"),
            "ESPALIER_ALGORITHM=bcast:chain,radix=4: bcast:chain takes no radix; allowed: segment=SIZE, window=NUMBER");
}

TEST(CheckedSettings, refuse_parameters_of_the_native_mpi) {
  EXPECT_EQ(error_of("ESPALIER_ALGORITHM=bcast:native,window=2"),
            "ESPALIER_ALGORITHM=bcast:native,window=2: bcast:native takes no parameters");
}

TEST(CheckedSettings, accept_all_algorithms_in_turn_without_parameters) {
  EXPECT_EQ(error_of("ESPALIER_ALGORITHM=allreduce:in-turn;bcast:in-turn"), "");
  EXPECT_EQ(error_of("ESPALIER_ALGORITHM=bcast:in-turn,segment=1KiB"),
            "ESPALIER_ALGORITHM=bcast:in-turn,segment=1KiB: bcast:in-turn takes no parameters");
}

TEST(CheckedSettings, hand_on_what_the_parser_refuses) {
  EXPECT_EQ(error_of("ESPALIER_CACHE=0"), "ESPALIER_CACHE=0: out of range; allowed: 1 to 4096");
}

TEST(Force, replaces_all_choices_or_changes_nothing) {
  Settings settings;
  EXPECT_EQ(force("bcast:chain;reduce:native", settings), "");
  EXPECT_EQ(format_choices(settings.algorithms), "bcast:chain;reduce:native");
  EXPECT_NE(force("bcast:nonsense", settings), "");
  EXPECT_NE(force("nonsense", settings), "");
  EXPECT_EQ(format_choices(settings.algorithms), "bcast:chain;reduce:native");
  EXPECT_EQ(force("", settings), "");
  EXPECT_TRUE(settings.algorithms.empty());
}

}  // namespace
}  // namespace espalier
