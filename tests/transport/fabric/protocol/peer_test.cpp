// SPDX-License-Identifier: Apache-2.0
// Peers whole, over a fake network. Two of them, with data that must arrive once and right, while
//   handshakes are lost, doubled, late (reordered), not taken; records lost, doubled; writes fail, arrived or not;
//   links are refused at first; an epoch is ended at any time; a lane, or all lanes, die and come back at any time;
//   a process is busy, or begins again.
// And one, to which a test says what the other one would: refused handshakes, lack of memory, descriptors and links.
#include "transport/fabric/protocol/peer.hpp"

#include <gtest/gtest.h>

#include "fake_network.hpp"

namespace espalier::peer_test {
namespace {

using namespace std::chrono_literals;
using fake::Exchange;
using fake::FakeNetwork;
using fake::FakePeer;
using fake::Faults;

void expect_right(FakeNetwork& network, std::uint64_t number, std::size_t count, std::size_t bytes, const char* what) {
  Exchange exchange(network, number, count, bytes);
  exchange.begin();
  ASSERT_TRUE(network.runs_until([&] { return exchange.is_over(); })) << what;
  EXPECT_TRUE(exchange.is_right()) << what;
}

TEST(Peers, exchange_messages_of_all_sizes) {
  FakeNetwork network(2, 1);
  std::uint64_t run = 0;
  for (const std::size_t bytes : {0, 1, 1000, 65'536, 300'000}) expect_right(network, ++run, 5, bytes, "");
  EXPECT_EQ(network[0].epochs, 1);
  EXPECT_EQ(network[1].epochs, 1);
}

struct Trouble {
  const char* name;
  Faults faults;
};

constexpr Trouble troubles[] = {
    {"none", {}},
    {"handshakes lost", {.handshakes_lost = 60}},
    {"handshakes doubled", {.handshakes_doubled = 50}},
    {"handshakes unsent", {.handshakes_unsent = 50}},
    {"handshakes late", {.most_delay = 400ms}},
    {"records lost", {.records_lost = 20}},
    {"records doubled", {.records_doubled = 50}},
    {"writes failed", {.writes_failed = 5}},
    {"refused", {.refused = 50}},
    {"all",
     {.handshakes_lost = 20,
      .handshakes_doubled = 20,
      .handshakes_unsent = 20,
      .records_lost = 5,
      .records_doubled = 20,
      .writes_failed = 2,
      .refused = 20,
      .most_delay = 2ms}},
};

TEST(Peers, lose_and_repeat_nothing_whatever_the_network_does) {
  for (const Trouble& trouble : troubles) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      FakeNetwork network(2, seed, trouble.faults);
      for (std::uint64_t run = 0; run < 3; ++run) {
        expect_right(network, run, 6, seed % 3 * 40'000, trouble.name);
        if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", run " << run;
      }
    }
  }
}

TEST(Peers, lose_and_repeat_nothing_where_epochs_end_at_any_time) {
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    FakeNetwork network(2, seed);
    for (std::uint64_t run = 0; run < 4; ++run) {
      Exchange exchange(network, run, 8, 20'000);
      exchange.begin();
      for (int k = 0; k < 40; ++k) {
        network.step();
        if (network.happens(20)) network[static_cast<Rank>(network.random() % 2)].peer().fence();
      }
      ASSERT_TRUE(network.runs_until([&] { return exchange.is_over(); })) << seed;
      ASSERT_TRUE(exchange.is_right()) << seed;
    }
    EXPECT_GT(network[0].epochs, 5);
  }
}

// The phases that links pass through: unknown, handshake, up, with records and with pieces under way, and over.
TEST(Peers, go_on_by_another_lane_when_one_dies_in_whatever_phase_and_find_it_again) {
  for (const int dead : {0, 1}) {
    for (int steps = 0; steps < 24; steps += 2) {
      FakeNetwork network(2, static_cast<std::uint64_t>(steps));
      Exchange exchange(network, 1, 8, 100'000);
      exchange.begin();
      for (int k = 0; k < steps; ++k) network.step();
      const bool was_over = exchange.is_over();
      network.is_dead[static_cast<std::size_t>(dead)] = true;
      ASSERT_TRUE(network.runs_until([&] { return exchange.is_over(); }, 10s)) << dead << ' ' << steps;
      EXPECT_TRUE(exchange.is_right());
      Exchange next(network, 2, 6, 300'000);
      next.begin();
      ASSERT_TRUE(network.runs_until([&] { return next.is_over(); }, 10s)) << dead << ' ' << steps;
      EXPECT_TRUE(was_over || network[0].peer().session().lanes() == 0b11 - (1 << dead));
      network.is_dead[static_cast<std::size_t>(dead)] = false;
      Exchange last(network, 3, 1, 10);
      last.begin(0);  // that waits
      EXPECT_TRUE(network.runs_until([&] { return network[0].peer().session().lanes() == 0b11; }, 5s));
      last.begin(1);
      ASSERT_TRUE(network.runs_until([&] { return last.is_over(); }));
      EXPECT_TRUE(last.is_right());
    }
  }
}

TEST(Peers, fail_their_runs_when_there_was_no_lane_for_too_long_and_meet_again_later) {
  for (int steps = 0; steps < 24; steps += 3) {
    FakeNetwork network(2, static_cast<std::uint64_t>(steps));
    {
      Exchange exchange(network, 1, 8, 100'000);
      exchange.begin();
      for (int k = 0; k < steps; ++k) network.step();
      network.is_dead = {true, true};
      const auto begun = network.now;
      ASSERT_TRUE(network.runs_until(
          [&] {
            for (const Rank rank : {0, 1}) {
              if (exchange[rank].run.failed()) exchange.end(rank);
            }
            return (exchange[0].run.failed() || exchange.is_over(0)) &&
                   (exchange[1].run.failed() || exchange.is_over(1));
          },
          60s))
          << steps;
      for (const Rank rank : {0, 1}) {
        if (!exchange[rank].run.failed()) continue;
        EXPECT_EQ(exchange[rank].run.error(), lack_of_lanes);
        EXPECT_EQ(exchange[rank].run.failed_peer(), 1 - rank);
        EXPECT_GE(network.now - begun, 2s);
      }
      network.is_dead = {false, false};
    }
    expect_right(network, 2, 4, 1000, "after that");
  }
}

TEST(Peers, are_not_aborted_while_their_process_is_busy) {
  FakeNetwork network(2, 3);
  expect_right(network, 1, 1, 10, "");
  Exchange exchange(network, 2, 4, 300'000);
  exchange.begin();
  network[1].is_stopped = true;
  EXPECT_FALSE(network.runs_until([&] { return exchange.is_over(); }, 10s));
  network[1].is_stopped = false;
  EXPECT_TRUE(network.runs_until([&] { return exchange.is_over(); }));
  EXPECT_TRUE(exchange.is_right());
  EXPECT_EQ(network[0].epochs, 1);
}

TEST(Peers, meet_again_when_one_of_them_begins_again) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    FakeNetwork network(2, seed, {.handshakes_lost = 20, .handshakes_doubled = 30, .most_delay = 5ms});
    for (std::uint64_t run = 0; run < 5; ++run) {
      expect_right(network, run, 4, 1000, "again");
      network[static_cast<Rank>(network.random() % 2)].restart();
      for (int k = 0; k < static_cast<int>(seed); ++k) network.step();
    }
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Peers, learn_that_a_run_has_failed_also_before_it_begins_there) {
  for (const bool begins_first : {true, false}) {
    FakeNetwork network(1, 5);
    {
      Exchange exchange(network, 1, 2, 100);
      if (begins_first) exchange.begin(1);
      exchange.begin(0);
      exchange[0].run.fail(lack_of_lanes, 1);
      exchange.end(0);
      EXPECT_TRUE(network.runs_until([&] { return network[0].peer().is_up() && network[1].peer().is_up(); }));
      for (int k = 0; k < 20; ++k) network.step();
      if (!begins_first) exchange.begin(1);
      EXPECT_EQ(exchange[1].run.error(), aborted_elsewhere);
      EXPECT_EQ(exchange[1].run.failed_peer(), 0);
    }
    expect_right(network, 2, 4, 1000, "after that");
  }
}

TEST(Peers, pass_words_on_once_they_are_up) {
  FakeNetwork network(1, 6);
  network[0].peer().send_word({.run = {1, 7}, .bytes = 1, .kind = 2, .side = 3});
  expect_right(network, 1, 1, 10, "");
  EXPECT_TRUE(network[1].words.empty());
  network[0].peer().send_word({.run = {1, 7}, .bytes = 1, .kind = 2, .side = 3});
  EXPECT_TRUE(network.runs_until([&] { return !network[1].words.empty(); }));
  EXPECT_EQ(network[1].words.front().kind, 2u);
}

// --- One of them ---

struct Expecting {
  explicit Expecting(FakePeer& its_peer) : peer(its_peer.peer) {}
  void begin() { peer.add(inlet); }
  Peer& peer;
  fake::FakeRun run{1};
  StreamEnd::Messages messages{4};
  Inlet inlet{run, messages, peer, 0};
};

TEST(Peer, shakes_hands_at_all_listeners_when_something_is_to_come_and_again_where_none_took_it) {
  FakePeer one(2);
  Expecting expecting(one);
  EXPECT_FALSE(one.peer.has_pending_work());
  one.gateway->takes_handshakes = false;
  expecting.begin();
  EXPECT_TRUE(one.peer.has_pending_work());
  EXPECT_TRUE(one.take_sent().empty());
  one.gateway->takes_handshakes = true;
  one.peer.go_on();
  const auto sent = one.take_sent();
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_EQ(sent[1].lane, 1);
  EXPECT_EQ(sent[1].handshake.epoch, 1u);
  EXPECT_EQ(sent[1].handshake.wants_answer, 1);
  EXPECT_EQ(sent[1].handshake.endpoint_count, 2);
  EXPECT_EQ(sent[1].handshake.endpoints[1].key, 101u);
}

TEST(Peer, shakes_hands_once_at_a_time_and_again_without_an_answer) {
  FakePeer one(1);
  Expecting expecting(one);
  expecting.begin();
  one.peer.watch(one.gateway->time, false);  // it was idle before
  one.gateway->time += 300ms;
  one.peer.watch(one.gateway->time, false);
  EXPECT_EQ(one.gateway->sent.size(), 1u);  // still under way
  (void)one.take_sent();
  one.gateway->time += 300ms;
  one.peer.watch(one.gateway->time, false);
  EXPECT_EQ(one.take_sent().size(), 1u);
}

TEST(Peer, tries_all_lanes_again_where_the_two_have_none_in_common_and_aborts_in_time) {
  FakePeer one(2);
  Expecting expecting(one);
  expecting.begin();
  one.gateway->links[0]->joins = one.gateway->links[1]->joins = false;  // libfabric refuses where the other end is
  one.receive_handshake(FakePeer::handshake(1, 0b11, true));
  EXPECT_TRUE(one.peer.session().is_apart());
  one.peer.watch(one.gateway->time, false);  // it was idle before
  for (int k = 0; k < 7; ++k) {
    one.gateway->time += 300ms;
    one.peer.watch(one.gateway->time, false);
    (void)one.take_sent();
    one.receive_handshake(FakePeer::handshake(one.peer.session().epoch(), 0b100, false));
    EXPECT_TRUE(one.peer.session().is_apart()) << k;
  }
  EXPECT_EQ(one.gateway->epochs, 8);
  one.gateway->time += 300ms;
  one.peer.watch(one.gateway->time, false);
  EXPECT_EQ(expecting.run.error(), lack_of_lanes);
  EXPECT_EQ(one.peer.session().phase(), Session::SessionPhase::unknown);
}

TEST(Peer, answers_a_handshake_that_nobody_expects) {
  FakePeer one(2);
  one.receive_handshake(FakePeer::handshake(4, 0b10, true));
  EXPECT_TRUE(one.peer.is_up());
  EXPECT_EQ(one.peer.session().epoch(), 4u);
  EXPECT_EQ(one.peer.session().lanes(), 0b10);
  for (const auto& sent : one.take_sent()) EXPECT_EQ(sent.handshake.epoch, 4u);
}

TEST(Peer, offers_no_links_that_cannot_be_opened_and_says_what_was_lacking) {
  FakePeer one(2);
  Expecting expecting(one);
  one.gateway->links_left = 0;
  one.gateway->out_of_descriptors = true;
  expecting.begin();
  EXPECT_EQ(one.take_sent()[0].handshake.endpoint_count, 0);
  one.receive_handshake(FakePeer::handshake(1, 0b11, true));
  EXPECT_FALSE(one.peer.is_up());
  for (int k = 0; k < 20; ++k) {
    one.gateway->time += 300ms;
    one.peer.watch(one.gateway->time, false);
    (void)one.take_sent();
  }
  EXPECT_EQ(expecting.run.error(), lack_of_descriptors);
}

TEST(Peer, fails_its_runs_on_allocation_failure_wherever_that_happens) {
  for (const int where : {0, 1, 2}) {
    FakePeer one(1);
    Expecting expecting(one);
    expecting.begin();
    (void)one.take_sent();
    one.gateway->out_of_memory = true;
    if (where == 0) one.peer.fence();
    if (where == 1) one.receive_handshake(FakePeer::handshake(7, 1, true));
    if (where == 2) {
      one.peer.watch(one.gateway->time, false);
      one.gateway->time += 300ms;
      one.peer.watch(one.gateway->time, false);
    }
    EXPECT_EQ(expecting.run.error(), lack_of_memory) << where;
    EXPECT_EQ(one.peer.session().phase(), Session::SessionPhase::unknown);
  }
}

TEST(Peer, waits_for_listeners_that_answer_and_not_for_long_for_those_that_do_not) {
  for (const bool has_carrier : {true, false}) {
    for (const Pulse pulse : {Pulse::none, Pulse::alive, Pulse::dead}) {
      FakePeer one(1);
      one.gateway->has_carriers = {has_carrier};
      one.gateway->listener_pulses = {pulse};
      Expecting expecting(one);
      expecting.begin();
      for (int k = 0; k < 40; ++k) {
        one.peer.watch(one.gateway->time, false);
        one.gateway->time += 300ms;
      }
      EXPECT_EQ(expecting.run.failed(), !has_carrier || pulse == Pulse::dead);
    }
  }
}

TEST(Peer, pings_missing_lanes_if_it_is_the_one_of_the_two) {
  FakePeer one(3);
  Expecting expecting(one);
  expecting.begin();
  (void)one.take_sent();
  one.gateway->has_carriers[2] = false;
  one.receive_handshake(FakePeer::handshake(1, 0b001, false));
  one.peer.watch(one.gateway->time, false);
  const auto sent = one.take_sent();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].lane, 1);
  EXPECT_EQ(sent[0].handshake.kind, Handshake::Kind::ping);
  EXPECT_EQ(sent[0].handshake.endpoint_count, 0);
  one.peer.go_on();
  EXPECT_EQ(one.peer.session().epoch(), 2u);
  EXPECT_EQ(one.peer.session().lanes(), 0b011);
}

TEST(Peer, takes_notice_of_an_earlier_or_the_same_handshake_only_as_far_as_it_asks) {
  FakePeer one(1);
  one.receive_handshake(FakePeer::handshake(4, 1, false));
  (void)one.take_sent();
  one.receive_handshake(FakePeer::handshake(4, 1, false));  // doubled
  EXPECT_TRUE(one.take_sent().empty());
  one.receive_handshake(FakePeer::handshake(3, 1, true));  // late
  EXPECT_EQ(one.take_sent().at(0).handshake.epoch, 4u);
  EXPECT_EQ(one.gateway->epochs, 1);
}

TEST(Peer, ends_the_connections_of_its_links_before_it_closes_them) {
  FakePeer one(1);
  one.receive_handshake(FakePeer::handshake(4, 1, false));
  one.gateway->links[0]->connections = 3;
  const int drains = one.gateway->drains;
  one.peer.fence();
  EXPECT_EQ(one.gateway->drains, drains + 4);
  EXPECT_EQ(one.gateway->kept.size(), 1u);
  EXPECT_FALSE(one.gateway->kept[0]->is_open());
}

}  // namespace
}  // namespace espalier::peer_test
