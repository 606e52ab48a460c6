// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <regex>

#include "draw/graph_view.hpp"
#include "draw/time_view.hpp"
#include "schedules.hpp"

namespace espalier {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Every tag that is opened is closed.
bool is_balanced(std::string_view svg) {
  return count(svg, "<svg") == 1 && svg.ends_with("</svg>\n") && count(svg, "<g>") == count(svg, "</g>") &&
         count(svg, "<text") == count(svg, "</text>") && count(svg, "<title>") == count(svg, "</title>");
}

TEST(Views, draw_every_algorithm_at_every_size) {
  for (const Algorithm& algorithm : registry()) {
    for (const Rank p : {1, 2, 3, 5, 8, 32}) {
      if (!exists_for(algorithm, {p})) continue;
      const Schedules schedules(algorithm.collective, algorithm.name, p, 3);
      const Timeline timeline = run_idealised(schedules.ranks, schedules.subject.segments, 4);
      EXPECT_TRUE(is_balanced(draw_time_view(schedules.subject, timeline))) << algorithm.name << " " << p;
      EXPECT_TRUE(is_balanced(draw_graph_view(schedules.subject, timeline))) << algorithm.name << " " << p;
    }
  }
}

// Where each text begins, and how long it is at least; small letters of 12 pixels are 5.5 wide on average.
TEST(Views, clip_no_text) {
  const std::regex text("<text[^>]* x=\"([0-9.]+)\"[^>]*>([^<]*)<"), width("<svg[^>]* width=\"([0-9.]+)\"");
  for (const Algorithm& algorithm : registry()) {
    const Rank ranks = exists_for(algorithm, {24}) ? 24 : 32;
    if (!exists_for(algorithm, {ranks})) continue;
    const Schedules schedules(algorithm.collective, algorithm.name, ranks, 16);
    const Timeline timeline = run_idealised(schedules.ranks, schedules.subject.segments, 4);
    for (const std::string& svg :
         {draw_time_view(schedules.subject, timeline), draw_graph_view(schedules.subject, timeline)}) {
      std::smatch found;
      ASSERT_TRUE(std::regex_search(svg, found, width));
      const double end = std::stod(found[1]);
      for (std::sregex_iterator at(svg.begin(), svg.end(), text), none; at != none; ++at) {
        if ((*at)[0].str().find("class=\"note\"") == std::string::npos) continue;
        EXPECT_LE(std::stod((*at)[1]) + 5.5 * static_cast<double>((*at)[2].length()), end)
            << algorithm.name << (*at)[0];
      }
    }
  }
}

TEST(TimeView, has_an_arrow_for_each_message_and_a_line_for_each_rank) {
  const Schedules schedules(Collective::allreduce, "ring", 5, 2);
  const Timeline timeline = run_idealised(schedules.ranks, 2, 4);
  const std::string svg = draw_time_view(schedules.subject, timeline);
  EXPECT_EQ(count(svg, "<title>step "), timeline.transfers.size());
  EXPECT_EQ(count(svg, "class=\"rank\""), 5u);
  EXPECT_NE(svg.find(">allreduce ring<"), svg.npos);
  EXPECT_NE(svg.find(">5 ranks, 5 blocks in 2 segments each, window 4<"), svg.npos);
  EXPECT_NE(svg.find(">reduction<"), svg.npos);
}

TEST(TimeView, names_the_root) {
  const Schedules schedules(Collective::bcast, "chain", 4, 2, 4, 3);
  const std::string svg = draw_time_view(schedules.subject, run_idealised(schedules.ranks, 2, 4));
  EXPECT_EQ(count(svg, ">root 3<"), 1u);
}

TEST(GraphView, has_an_arrow_for_each_pair_that_talks) {
  const Schedules schedules(Collective::bcast, "binary", 7, 4);
  const std::string svg = draw_graph_view(schedules.subject, run_idealised(schedules.ranks, 4, 4));
  EXPECT_EQ(count(svg, "<title>rank "), 6u);
  EXPECT_EQ(count(svg, ": 4 messages"), 6u);
}

}  // namespace
}  // namespace espalier
