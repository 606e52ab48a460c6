// SPDX-License-Identifier: Apache-2.0
#include "draw/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "schedules.hpp"

namespace espalier {
namespace {

TEST(Text, shows_the_operations_of_each_rank_in_a_table) {
  const Schedules schedules(Collective::bcast, "chain", 3, 4, 2, 1);
  const std::string text = draw_text(schedules.subject);
  EXPECT_TRUE(text.starts_with(R"(bcast chain: 3 ranks, root 1, 1 block in 4 segments, window 2

rank 0
  #  does  peer  chan  blocks  from  to      after
  0  recv  2     0     0             output

rank 1
  #  does  peer  chan  blocks  from    to  after
  0  send  2     0     0       output

rank 2
  #  does  peer  chan  blocks  from    to      after
  0  recv  1     0     0               output
  1  send  0     0     0       output          0

)")) << text;
}

TEST(Text, fits_80_columns) {
  for (const Algorithm& algorithm : registry()) {
    for (const Rank p : {2, 13, 64}) {
      if (!exists_for(algorithm, {p})) continue;
      const Schedules schedules(algorithm.collective, algorithm.name, p, 40);
      std::istringstream lines(draw_text(schedules.subject));
      for (std::string line; std::getline(lines, line);) ASSERT_LE(line.size(), 80u) << algorithm.name << ": " << line;
    }
  }
}

TEST(Text, shows_one_rank_when_asked_for_one) {
  const Schedules schedules(Collective::bcast, "chain", 3);
  Subject one = schedules.subject;
  one.ranks = one.ranks.subspan(2, 1);
  one.one_of = 3;
  const std::string text = draw_text(one, 2);
  EXPECT_NE(text.find("3 ranks"), text.npos);
  EXPECT_NE(text.find("\nrank 2\n"), text.npos);
  EXPECT_EQ(text.find("\nrank 1\n"), text.npos);
}

TEST(Text, says_so_when_a_rank_has_nothing_to_do) {
  const Schedules schedules(Collective::bcast, "chain", 1);
  EXPECT_NE(draw_text(schedules.subject).find("rank 0\n  nothing to do\n"), std::string::npos);
}

// Every kind of region, walk and dependency, by hand.
TEST(Text, writes_walks_places_and_dependencies_compactly) {
  const Algorithm* algorithm = find_algorithm(Collective::allreduce, "ring");
  Schedule schedule{.blocks = 8, .areas = {{Area::Kind::ring, 0, {}}, {Area::Kind::packed, 3, {}}}};
  const auto add = [&](Operation op, std::vector<Dependency> dependencies) {
    op.first_dependency = static_cast<std::uint32_t>(schedule.dependencies.size());
    op.dependency_count = static_cast<std::uint32_t>(dependencies.size());
    schedule.dependencies.insert(schedule.dependencies.end(), dependencies.begin(), dependencies.end());
    schedule.operations.push_back(op);
  };
  using Kind = Dependency::Kind;
  const Walk down{2, -1, 8};
  add({.kind = Operation::Kind::recv, .peers = always(4), .target = {Buffer::scratch, 0, 8, {}, down}},
      {{1, 0, Kind::lagged}});
  add({.kind = Operation::Kind::reduce,
       .source = {Buffer::scratch, 0, 8, {}, down},
       .source_right = {Buffer::input, -1, 8, down, down},
       .target = {Buffer::output, -1, 8, down, down}},
      {{0, 0, Kind::aligned}, {3, 2, Kind::aligned}, {3, -1, Kind::aligned}});
  add({.kind = Operation::Kind::send,
       .channel = 3,
       .merged = true,
       .peers = always(5),
       .source = {Buffer::scratch, 1, 3, {0}, {5}}},
      {{0, 0, Kind::whole}, {1, 0, Kind::posted}});
  add({.kind = Operation::Kind::copy,
       .source = {Buffer::input, -1, 1, {7}, {7}},
       .target = {Buffer::output, -1, 1, {6}, {7}}},
      {});
  const std::string text = draw_text({algorithm, 0, 1, 2, {&schedule, 1}});
  EXPECT_NE(text.find(R"(
  #  does    peer  chan  blocks        from            to         after
  0  recv    4     0     2,1..3                        ring 0     1~w
  1  reduce              2,1..3        ring 0 o input  output     0 3+2 3-1
  2  send    5     3     5..7 at once  area 1[0..2]               0* 1!
  3  copy                7             input           output[6]
)"),
            text.npos)
      << text;
}

}  // namespace
}  // namespace espalier
