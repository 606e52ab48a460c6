// SPDX-License-Identifier: Apache-2.0
#include "transport/memory/memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <thread>

namespace espalier {
namespace {

using Numbers = std::vector<std::int32_t>;

Message message_to(Rank peer, Numbers& numbers, Channel channel = 0) {
  return {.peer = peer,
          .channel = channel,
          .data = reinterpret_cast<std::byte*>(numbers.data()),
          .bytes = numbers.size() * sizeof(std::int32_t)};
}

// Polls all until nothing comes any more; the tokens in order of arrival.
std::vector<Token> drain(MemoryNetwork& network, MemoryPort& one, MemoryPort& other) {
  std::vector<Token> tokens;
  while (!network.idle()) {
    for (MemoryPort* transport : {&one, &other}) {
      for (const Token token : transport->poll()) tokens.push_back(token);
    }
  }
  return tokens;
}

class MemoryNetworkTest : public testing::Test {
 protected:
  MemoryNetwork network{1};
  MemoryPort a{network, 0}, b{network, 1};
};

TEST_F(MemoryNetworkTest, completes_a_send_only_when_its_receive_is_there) {
  Numbers source{1, 2, 3}, target(3);
  a.send(7, message_to(1, source));
  EXPECT_TRUE(drain(network, a, b).empty());
  EXPECT_EQ(network.unmatched(), "channel 0 of 0 -> 1: 1 sends, 0 receives without a partner\n");
  b.recv(8, message_to(0, target));
  EXPECT_EQ(drain(network, a, b).size(), 2U);
  EXPECT_EQ(target, source);
  EXPECT_EQ(network.unmatched(), "");
}

TEST_F(MemoryNetworkTest, matches_in_order_within_a_channel_and_not_across_channels) {
  Numbers first{1}, second{2}, other_channel{3}, x(1), y(1), z(1);
  a.send(0, message_to(1, first));
  a.send(1, message_to(1, other_channel, 5));
  a.send(2, message_to(1, second));
  b.recv(0, message_to(0, x));
  b.recv(1, message_to(0, y));
  b.recv(2, message_to(0, z, 5));
  (void)drain(network, a, b);
  EXPECT_EQ(x, first);
  EXPECT_EQ(y, second);
  EXPECT_EQ(z, other_channel);
}

TEST_F(MemoryNetworkTest, reads_a_source_late_so_that_early_overwriting_shows) {
  Numbers source{1}, target(1);
  a.send(0, message_to(1, source));
  b.recv(0, message_to(0, target));
  source[0] = 9;  // wrong: the send has not completed
  (void)drain(network, a, b);
  EXPECT_EQ(target[0], 9);
}

TEST_F(MemoryNetworkTest, fails_on_lengths_that_differ_and_names_the_seed) {
  Numbers source(3), target(4);
  a.send(0, message_to(1, source));
  b.recv(0, message_to(0, target));
  EXPECT_TRUE(a.failed());
  EXPECT_EQ(network.error(), "length mismatch on channel 0 of 0 -> 1: 12 bytes sent, 16 expected (seed 1)");
}

std::vector<Token> arrival_order(MemoryNetwork::Seed seed) {
  MemoryNetwork network(seed);
  MemoryPort a(network, 0), b(network, 1);
  Numbers data(1);
  for (Token token = 0; token < 20; ++token) {
    a.send(token, {.peer = 1});
    b.recv(100 + token, {.peer = 0});
  }
  return drain(network, a, b);
}

TEST(MemoryNetwork, delivers_in_an_order_that_the_seed_alone_determines) {
  EXPECT_EQ(arrival_order(5), arrival_order(5));
  EXPECT_NE(arrival_order(5), arrival_order(6));
  EXPECT_EQ(arrival_order(5).size(), 40U);
}

TEST(MemoryNetwork, lets_threads_wait_for_each_other) {
  MemoryNetwork network(3);
  std::array<Numbers, 2> sources{Numbers(100, 1), Numbers(100, 2)}, targets{Numbers(100), Numbers(100)};
  const auto run = [&](Rank me) {
    MemoryPort transport(network, me);
    for (int round = 0; round < 50; ++round) {
      transport.send(0, message_to(1 - me, sources[me]));
      transport.recv(1, message_to(1 - me, targets[me]));
      transport.wait(1);
      transport.wait(0);
    }
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  EXPECT_EQ(targets[0], sources[1]);
  EXPECT_EQ(targets[1], sources[0]);
}

TEST(MemoryNetwork, aborts_waiting_when_nothing_happens_any_more) {
  MemoryNetwork network(3, std::chrono::milliseconds(20));
  MemoryPort transport(network, 0);
  transport.recv(4, {.peer = 1});
  transport.wait(4);
  EXPECT_TRUE(transport.failed());
  EXPECT_EQ(network.error(), "deadlock: rank 0 waits without result for its message 4 (seed 3)");
}

TEST(MemoryNetwork, aborts_polling_when_nothing_happens_any_more) {
  MemoryNetwork network(3, std::chrono::milliseconds(20));
  MemoryPort transport(network, 0);
  transport.recv(4, {.peer = 1});
  while (!transport.failed()) EXPECT_TRUE(transport.poll().empty());
  EXPECT_EQ(network.error(), "deadlock: rank 0 polls without result (seed 3)");
}

}  // namespace
}  // namespace espalier
