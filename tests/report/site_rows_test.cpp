// SPDX-License-Identifier: Apache-2.0
#include "report/site_rows.hpp"

#include <gtest/gtest.h>

#include "report/loaded_place.hpp"
#include "report/report.hpp"

namespace espalier {
namespace {

SiteRow row(std::uint64_t offset, std::uint64_t calls, std::uint64_t nanoseconds) {
  return {.function = "MPI_Bcast",
          .object = "/bin/app",
          .offset = offset,
          .symbol = "run(int)",
          .calls = calls,
          .bytes = 8 * calls,
          .nanoseconds = nanoseconds};
}

TEST(SiteRow, is_the_same_after_being_written_and_read) {
  const RankStatistics rank{.wall_nanoseconds = 5,
                            .statistics = {},
                            .contexts = {{.key = 1, .story = "{}"}},
                            .sites = {row(16, 2, 3), row(32, 4, 5)}};
  const RankStatistics read = RankStatistics::read(rank.written());
  EXPECT_EQ(read.contexts.size(), 1u);
  ASSERT_EQ(read.sites.size(), 2u);
  EXPECT_EQ(text_of(read.sites[1]), text_of(row(32, 4, 5)));
  EXPECT_EQ(read.sites[1].symbol, "run(int)");
  EXPECT_EQ(read.written(), rank.written());
}

TEST(SiteRow, that_is_none_is_left_out) {
  EXPECT_TRUE(RankStatistics::read("5\n\v\vx\t1\t1\t1\v7").sites.empty());
  EXPECT_TRUE(RankStatistics::read("5\n").sites.empty());
}

TEST(JobSite, is_put_together_by_file_and_place) {
  const std::vector<std::vector<SiteRow>> ranks = {{row(16, 2, 1'000'000'000), row(32, 1, 10)},
                                                   {row(16, 3, 3'000'000'000)}};
  const std::vector<JobSite> sites = sites_of_job(ranks, 10);
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(sites[0].row.offset, 16u);
  EXPECT_EQ(sites[0].row.calls, 5u);
  EXPECT_EQ(sites[0].row.bytes, 40u);
  EXPECT_EQ(sites[0].ranks, 2);
  EXPECT_DOUBLE_EQ(sites[0].seconds_mean, 2);
  EXPECT_DOUBLE_EQ(sites[0].seconds_max, 3);
  EXPECT_DOUBLE_EQ(sites[0].share, .4);
}

TEST(JobSite, of_all_others_comes_last) {
  const std::vector<std::vector<SiteRow>> ranks = {{SiteRow{.calls = 9, .nanoseconds = 99}, row(16, 1, 1)}};
  const std::vector<JobSite> sites = sites_of_job(ranks, 1);
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(place_text(sites[0].row), "run(int)");
  EXPECT_EQ(place_text(sites[1].row), "others");
}

TEST(PlaceText, is_the_file_and_the_address_where_there_is_no_name) {
  SiteRow unnamed = row(0x12ab, 1, 1);
  unnamed.symbol.clear();
  EXPECT_EQ(place_text(unnamed), "app+0x12ab");
  unnamed.object.clear();
  EXPECT_EQ(place_text(unnamed), "made at run time +0x12ab");
}

TEST(LoadedPlace, of_a_function_of_the_c_library_has_its_name) {
  const auto* const inside = reinterpret_cast<const char*>(&::strtol) + 1;
  const LoadedPlace place = place_of_return(inside);
  EXPECT_NE(place.object.find("libc.so"), std::string::npos) << place.object;
  EXPECT_FALSE(place.symbol.empty());
  EXPECT_GT(place.offset, 0u);
}

TEST(LoadedPlace, of_code_made_at_run_time_is_an_address) {
  int on_the_stack = 0;
  EXPECT_EQ(place_of_return(&on_the_stack).object, "");
}

}  // namespace
}  // namespace espalier
