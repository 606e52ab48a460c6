// SPDX-License-Identifier: Apache-2.0
// What a watch thinks of links and of handshakes, at given times:
//   a link is        idle, waiting, moving, refused, broken; its kernel answers, does not, or has no connection
//   the process is   here or away, expects something or not, has received something or not
//   the listeners    answer, do not, or are without a connection; descriptors are there or not; links are of use or not
#include "transport/fabric/protocol/health.hpp"

#include <gtest/gtest.h>

#include "fake_link.hpp"

namespace espalier::health_test {
namespace {

using namespace std::chrono_literals;
using fake::FakeLink;
using Result = FakeLink::PostResult;

constexpr Health::TimePoint start{std::chrono::hours(10)};

// Two links of two lanes.
class Watched {
 public:
  Watched() {
    links.open(*nobody.gateway, nobody.peer, 0b11, {});
    health.establish(links.size(), start);
  }
  [[nodiscard]] FakeLink& link(std::size_t k) { return *nobody.gateway->links[k]; }
  void write(std::size_t k) { (void)link(k).write(outlet, {}, {next_piece++, nullptr, 0}); }
  void finish(std::size_t k) {
    for (const auto& one : link(k).written) {
      if (one.write->outlet != nullptr) return link(k).finish(*one.write);
    }
  }
  // Looks every 20 ms from then to then, and says when lanes were dead first.
  [[nodiscard]] std::pair<LaneSet, std::chrono::milliseconds> watch(std::chrono::milliseconds from,
                                                                    std::chrono::milliseconds to,
                                                                    Health::Watching how = {}) {
    for (auto time = from; time < to; time += 20ms) {
      if (each) each(time);
      if (const LaneSet dead = health.dead_lanes(links, start + time, how); dead != 0) return {dead, time};
    }
    return {LaneSet{0}, to};
  }

  fake::FakePeer nobody{2};
  fake::FakeRun run{1};
  StreamEnd::Messages messages{4};
  Outlet outlet{run, messages, nobody.peer, 0};
  LinkSet links;
  Health health{60s};
  std::uint64_t next_piece = 0;
  std::function<void(std::chrono::milliseconds)> each;
};

TEST(Health, finds_nothing_wrong_with_links_that_are_idle_or_whose_other_end_answers) {
  Watched watched;
  EXPECT_EQ(watched.watch(0ms, 5s).first, 0);
  watched.write(0);
  watched.write(1);
  EXPECT_EQ(watched.watch(5s, 20s).first, 0);
}

TEST(Health, finds_a_lane_dead_whose_kernel_does_not_answer) {
  Watched watched;
  watched.link(1).its_pulse = Pulse::dead;
  watched.write(1);
  const auto [dead, time] = watched.watch(0ms, 5s);
  EXPECT_EQ(dead, 0b10);
  EXPECT_GE(time, 250ms);
  EXPECT_LE(time, 400ms);
}

TEST(Health, finds_a_lane_dead_that_has_no_carrier) {
  Watched watched;
  watched.link(0).its_carrier = false;
  watched.write(0);
  EXPECT_EQ(watched.watch(0ms, 5s).first, 0b01);
}

TEST(Health, finds_a_lane_dead_that_is_behind_others) {
  Watched watched;
  watched.write(0);
  watched.write(1);
  watched.each = [&](auto) {
    watched.finish(0);
    watched.write(0);
  };
  const auto [dead, time] = watched.watch(0ms, 5s);
  EXPECT_EQ(dead, 0b10);
  EXPECT_GE(time, 1500ms);
}

TEST(Health, finds_a_lane_dead_that_is_refused_for_long) {
  for (const Pulse pulse : {Pulse::none, Pulse::alive}) {
    Watched watched;
    watched.link(0).its_pulse = pulse;
    watched.link(0).answer = Result::refused;
    watched.write(0);
    const auto [dead, time] = watched.watch(0ms, 5s);
    EXPECT_EQ(dead, pulse == Pulse::none ? 0b01 : 0);
    EXPECT_GE(time, 1500ms);
  }
}

TEST(Health, counts_no_time_at_which_nobody_looked) {
  Watched watched;
  watched.link(0).its_pulse = Pulse::dead;
  watched.write(0);
  EXPECT_EQ(watched.watch(0ms, 5s, {.away = true}).first, 0);
  const auto [dead, time] = watched.watch(5s, 10s);
  EXPECT_EQ(dead, 0b01);
  EXPECT_GE(time, 5s + 200ms);
}

TEST(Health, looks_also_at_links_by_which_something_is_expected_but_less_often) {
  Watched watched;
  watched.link(0).its_pulse = watched.link(1).its_pulse = Pulse::dead;
  EXPECT_EQ(watched.watch(0ms, 3s).first, 0);
  watched.each = [&](auto) { watched.health.note_received(); };
  EXPECT_EQ(watched.watch(3s, 6s, {.expects = true}).first, 0);
  watched.each = nullptr;
  const auto [dead, time] = watched.watch(6s, 9s, {.expects = true});
  EXPECT_EQ(dead, 0b11);
  EXPECT_GE(time, 6s + 200ms);
}

// The other side, which closed it, mostly says why.
TEST(Health, waits_for_an_explanation_of_what_is_broken) {
  Watched watched;
  watched.health.note_broken(1, start);
  watched.health.note_broken(0, start + 100ms);  // the first one counts
  const auto [dead, time] = watched.watch(0ms, 5s);
  EXPECT_EQ(dead, 0b11);
  EXPECT_EQ(time, 200ms);
  watched.health.begin_epoch();
  EXPECT_EQ(watched.watch(5s, 6s).first, 0);
}

TEST(Health, finds_out_by_itself_that_a_link_is_broken) {
  Watched watched;
  watched.link(1).answer = Result::failed;
  watched.write(1);
  EXPECT_EQ(watched.watch(0ms, 5s).first, 0b10);
}

TEST(Health, wants_a_ping_once_in_a_while) {
  Health health(60s);
  EXPECT_TRUE(health.wants_ping(start));
  EXPECT_FALSE(health.wants_ping(start + 499ms));
  EXPECT_TRUE(health.wants_ping(start + 500ms));
}

TEST(Health, wants_a_handshake_again_without_an_answer) {
  Health health(60s);
  health.note_handshake(start);
  EXPECT_FALSE(health.is_unanswered(start + 249ms));
  EXPECT_TRUE(health.is_unanswered(start + 250ms));
}

struct Listeners {
  Health::Listeners seen;
  bool is_dark, clears;  // what that begins, and ends
};

constexpr Listeners listener_table[] = {
    {{Pulse::none, false, true}, false, false},  {{Pulse::none, true, true}, true, false},
    {{Pulse::alive, false, true}, false, true},  {{Pulse::alive, true, true}, false, false},
    {{Pulse::dead, false, true}, true, false},   {{Pulse::dead, true, true}, true, false},
    {{Pulse::none, false, false}, true, false},  {{Pulse::none, true, false}, true, false},
    {{Pulse::alive, false, false}, true, false}, {{Pulse::alive, true, false}, true, false},
    {{Pulse::dead, false, false}, true, false},  {{Pulse::dead, true, false}, true, false},
};

TEST(Health, has_no_patience_with_listeners_that_are_dead_or_of_no_use) {
  for (const Listeners& listeners : listener_table) {
    Health health(2s);
    health.note_unanswered(listeners.seen, start);
    EXPECT_FALSE(health.is_dark_for_too_long(start + 1999ms));
    EXPECT_EQ(health.is_dark_for_too_long(start + 2s), listeners.is_dark);
    Health dark(2s);
    dark.note_darkness(start);
    dark.note_unanswered(listeners.seen, start + 1s);
    EXPECT_EQ(dark.is_dark_for_too_long(start + 2s), !listeners.clears);
  }
}

TEST(Health, is_light_again_once_something_arrives_or_it_is_aborted) {
  Health health(2s);
  health.note_darkness(start);
  health.note_arrival();
  EXPECT_FALSE(health.is_dark_for_too_long(start + 10s));
  health.note_darkness(start);
  health.abort();
  EXPECT_FALSE(health.is_dark_for_too_long(start + 10s));
}

}  // namespace
}  // namespace espalier::health_test
