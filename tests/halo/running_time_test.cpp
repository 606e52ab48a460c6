// SPDX-License-Identifier: Apache-2.0
#include "halo/running_time.hpp"

#include <gtest/gtest.h>

#include "halo/packers.hpp"

namespace espalier::halo {
namespace {

Exchange exchange_of(std::vector<Put> puts, int nodes = 1, int links = 2) {
  return {.nodes = nodes, .links = links, .puts = std::move(puts), .directions = {}};
}

double time_by(int engines_used, const Exchange& exchange, const RateLimits& limits, const Engines& engines = {}) {
  return running_time(round_robin(exchange, engines, engines_used), exchange, engines, limits);
}

const Put over_first{.bytes = 8, .links = {0}}, over_second{.bytes = 8, .links = {1}},
    over_both{.bytes = 8, .links = {0, 1}};

TEST(HaloRunningTime, is_that_of_one_put_after_the_other_on_one_engine) {
  EXPECT_DOUBLE_EQ(time_by(1, exchange_of({over_first, over_first, over_second}), {}), 24);
}

TEST(HaloRunningTime, shares_links_evenly) {
  const RateLimits limits{.link = 1.2};
  EXPECT_DOUBLE_EQ(time_by(2, exchange_of({over_first, over_first}), limits), 16 / 1.2);
  EXPECT_DOUBLE_EQ(time_by(2, exchange_of({over_first, over_second}), limits), 8);
  // The third link's worth goes on alone when the first two are through.
  EXPECT_DOUBLE_EQ(time_by(3, exchange_of({over_first, over_first, over_second}), limits), 16 / 1.2);
  EXPECT_DOUBLE_EQ(time_by(2, exchange_of({over_both, over_second}), limits), 16 / 1.2);
}

TEST(HaloRunningTime, gives_what_others_cannot_take_to_the_rest) {
  // Two share the first link, so the third has what they leave of the node.
  const RateLimits limits{.link = 0.5, .node = 1.2};
  const Put slow{.bytes = 8, .links = {0}}, quick{.bytes = 8, .links = {}};
  EXPECT_DOUBLE_EQ(time_by(3, exchange_of({slow, slow, quick}), limits), 32);
  EXPECT_DOUBLE_EQ(time_by(1, exchange_of({quick}), limits), 8);
}

TEST(HaloRunningTime, has_overheads_and_late_engines) {
  const Engines engines{.count = 4, .rates = {}, .stagger = 1};
  EXPECT_DOUBLE_EQ(time_by(2, exchange_of({over_first, over_second}), {.overhead = 5}, engines), 5 + 2 + 8);
  EXPECT_DOUBLE_EQ(time_by(1, exchange_of({}), {.overhead = 5}, engines), 5);
}

TEST(HaloRunningTime, knows_who_receives) {
  // Two nodes write to a third one, by the same of its engines or by two.
  const Exchange exchange = exchange_of({{.from = 0, .to = 2, .bytes = 8}, {.from = 1, .to = 2, .bytes = 8}}, 3);
  EXPECT_DOUBLE_EQ(time_by(1, exchange, {}), 16);
  EXPECT_DOUBLE_EQ(running_time(bottom_left(exchange, {}, 1), exchange, {}, {}), 8);
  EXPECT_DOUBLE_EQ(running_time(bottom_left(exchange, {}, 1), exchange, {}, {.node = 1}), 16);
}

TEST(HaloRunningTime, goes_by_the_rate_of_the_slower_engine) {
  const Engines engines{.count = 2, .rates = {4, 1}};
  EXPECT_DOUBLE_EQ(time_by(1, exchange_of({over_first}), {}, engines), 2);
  EXPECT_DOUBLE_EQ(time_by(2, exchange_of({over_first, over_second}), {}, engines), 8);
}

}  // namespace
}  // namespace espalier::halo
