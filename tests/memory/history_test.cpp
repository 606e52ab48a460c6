// SPDX-License-Identifier: Apache-2.0
#include "memory/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/examples.hpp"

namespace espalier {
namespace {

constexpr std::int64_t day = 24 * 3600;

std::string line(std::int64_t at) { return R"({"at": )" + std::to_string(at) + R"(, "ranks": 8})"; }

std::int64_t lines_in(const std::string& text) { return std::ranges::count(text, '\n'); }

std::string after_jobs(int jobs, std::int64_t every) {
  std::string text;
  for (int i = 0; i < jobs; ++i) text = with_line(text, line(i * every));
  return text;
}

TEST(History, has_the_latest_jobs_in_order) {
  EXPECT_EQ(with_line("", line(5)), line(5) + "\n");
  EXPECT_EQ(with_line(line(5) + "\n", line(3)), line(5) + "\n" + line(3) + "\n");
  EXPECT_EQ(lines_in(after_jobs(12, 60)), 12);
}

TEST(History, of_many_jobs_a_day_keeps_one_a_day_before_the_latest) {
  const std::string text = after_jobs(3 * 24 + 1, 3600);
  EXPECT_EQ(lines_in(text), 12 + 3);
  EXPECT_TRUE(text.starts_with(line(0) + "\n" + line(day) + "\n" + line(2 * day) + "\n"));
  EXPECT_TRUE(text.ends_with(line(3 * day) + "\n"));
}

TEST(History, of_many_days_is_bounded) { EXPECT_EQ(lines_in(after_jobs(200, 2 * day)), 12 + 36); }

TEST(History, loses_what_is_no_line_of_a_job) {
  EXPECT_EQ(with_line("rubbish\n{\"at\": x}\n{\"at\": 7, cut\n\n" + line(1) + "\n" + line(2), line(3)),
            line(1) + "\n" + line(2) + "\n" + line(3) + "\n");
}

// When one of them changes, that is what may have made calls slower.
TEST(History, of_a_placement_is_one_for_all_mpis_and_networks) {
  Placement other = eight_ranks();
  other.mpi = "MPICH 5";
  other.network = "0123456789abcdef: nodes 0 1";
  EXPECT_EQ(name_of_history(eight_ranks()), name_of_history(other));
  other.ranks_of_nodes = "8";
  EXPECT_NE(name_of_history(eight_ranks()), name_of_history(other));
  EXPECT_TRUE(name_of_history(other).ends_with(".jobs"));
}

}  // namespace
}  // namespace espalier
