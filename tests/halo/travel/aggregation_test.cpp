// SPDX-License-Identifier: Apache-2.0
// Messages that travel together, run by all ranks in this process: whatever comes is what was sent.
#include "halo/travel/aggregation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "../../support/in_threads.hpp"
#include "halo/travel/part_of_travel.hpp"

namespace espalier::halo {
namespace {

// The most messages from one host to another.
int most_between_hosts(const Travel& travel, std::span<const int> hosts) {
  std::map<std::pair<int, int>, int> between;
  int most = 0;
  for (const Leg& leg : travel.legs) {
    const int from = hosts[static_cast<std::size_t>(leg.from)], to = hosts[static_cast<std::size_t>(leg.to)];
    if (from != to) most = std::max(most, ++between[{from, to}]);
  }
  return most;
}

struct Drawn {
  std::vector<int> hosts;
  std::vector<RankMessage> messages;
};

// Some ranks have no messages, and some send themselves some; what is one datum of a rank is as long.
Drawn draw(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<std::uint64_t>(limit)); };
  Drawn drawn;
  const int ranks = 1 + below(9), hosts = 1 + below(4);
  for (int rank = 0; rank < ranks; ++rank) drawn.hosts.push_back(below(hosts));
  const int data = 1 + below(4);
  for (Rank from = 0; from < ranks; ++from) {
    std::vector<std::size_t> bytes;
    for (int datum = 0; datum < data; ++datum) bytes.push_back(1 + static_cast<std::size_t>(below(12)));
    const int count = below(10);
    for (int k = 0; k < count; ++k) {
      const int datum = below(data);
      drawn.messages.push_back({from, below(ranks), bytes[static_cast<std::size_t>(datum)], datum});
    }
  }
  return drawn;
}

// One rank's buffers: a block of the input and of the output for each of its messages.
struct Participating {
  Participating(Rank me, const Drawn& drawn, const Travel& travel) {
    Traveller traveller{.me = me,
                        .inputs = 0,
                        .outputs = 0,
                        .place_in_input = {},
                        .place_in_output = {},
                        .order = {},
                        .paths = std::vector<Path>(travel.legs.size())};
    for (const RankMessage& message : drawn.messages) {
      traveller.place_in_input.push_back(message.from == me ? traveller.inputs++ : -1);
      traveller.place_in_output.push_back(message.to == me ? traveller.outputs++ : -1);
      if (message.from == me) add(given.input, input, message, bytes_of(message));
      if (message.to == me) {
        add(given.output, output, message, std::vector<unsigned char>(message.bytes, 0xFF));
        const std::vector<unsigned char> wanted = bytes_of(message);
        expected.insert(expected.end(), wanted.begin(), wanted.end());
      }
    }
    for (int leg = 0; leg < std::ssize(travel.legs); ++leg) {
      if (travel.legs[static_cast<std::size_t>(leg)].from == me) traveller.order.push_back(leg);
    }
    const Part part = part_of(traveller, drawn.messages, travel);
    given.input.held = part.input();
    given.output.held = part.output();
    given.passing = {part.passing(), part.passing_bytes, {}};
    schedule = schedule_of(part);
  }

  static std::vector<unsigned char> bytes_of(const RankMessage& message) {
    std::vector<unsigned char> bytes(message.bytes);
    for (std::size_t k = 0; k < bytes.size(); ++k)
      bytes[k] = static_cast<unsigned char>(29 * message.from + 7 * message.datum + static_cast<int>(k));
    return bytes;
  }
  static void add(Partition::Given::Side& side, std::vector<unsigned char>& buffer, const RankMessage& message,
                  const std::vector<unsigned char>& bytes) {
    side.sizes.push_back(message.bytes);
    side.offsets.push_back(buffer.size());
    buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  }

  Partition::Given given;
  Schedule schedule;
  std::vector<unsigned char> input, output, expected;
};

std::vector<Aggregation> aggregations() { return {{}, {0, true}, {6, false}, {6, true}, full_aggregation}; }

TEST(Aggregation, brings_what_was_sent) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Drawn drawn = draw(seed);
    for (const Aggregation& aggregation : aggregations()) {
      const Travel travel = travel_of(drawn.messages, drawn.hosts, aggregation);
      std::vector<Participating> ranks;
      std::vector<Partition> partitions;
      for (Rank me = 0; me < std::ssize(drawn.hosts); ++me) {
        ranks.emplace_back(me, drawn, travel);
        partitions.emplace_back(ranks.back().given);
      }
      std::vector<Participant> participants;
      for (std::size_t k = 0; k < ranks.size(); ++k) {
        const Buffers buffers{reinterpret_cast<const std::byte*>(ranks[k].input.data()),
                              reinterpret_cast<std::byte*>(ranks[k].output.data())};
        participants.push_back({ranks[k].schedule, buffers, partitions[k]});
      }
      ASSERT_EQ(run_in_one_thread(participants, {}, 1, seed), "") << "seed " << seed;
      for (Participating& rank : ranks) {
        ASSERT_EQ(rank.output, rank.expected) << "seed " << seed;
        std::ranges::fill(rank.output, static_cast<unsigned char>(0xFF));
      }
      if (seed % 10 != 0) continue;
      ASSERT_EQ(run_in_threads(participants, {}, 1, seed, 2), "") << "seed " << seed;
      for (const Participating& rank : ranks) ASSERT_EQ(rank.output, rank.expected) << "seed " << seed;
    }
  }
}

// Whatever is long enough to go alone does, but what is the same.
TEST(Aggregation, leaves_one_message_between_two_hosts) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Drawn drawn = draw(seed);
    const Travel travel = travel_of(drawn.messages, drawn.hosts, full_aggregation);
    EXPECT_LE(most_between_hosts(travel, drawn.hosts), 1);
    const bool has_any = std::ranges::any_of(drawn.messages, [&](const RankMessage& message) {
      return drawn.hosts[static_cast<std::size_t>(message.from)] != drawn.hosts[static_cast<std::size_t>(message.to)];
    });
    EXPECT_EQ(most_between_hosts(travel, drawn.hosts), has_any ? 1 : 0);
  }
}

// Two hosts of three ranks each: all with all.
Drawn all_with_all(std::size_t bytes, bool alike) {
  Drawn drawn{.hosts = {0, 0, 0, 1, 1, 1}, .messages = {}};
  for (Rank from = 0; from < 6; ++from) {
    for (Rank to = 0; to < 6; ++to) drawn.messages.push_back({from, to, bytes, alike ? 0 : to});
  }
  return drawn;
}

TEST(Aggregation, counts_messages_between_hosts) {
  const auto most = [](const Drawn& drawn, const Aggregation& aggregation) {
    return most_between_hosts(travel_of(drawn.messages, drawn.hosts, aggregation), drawn.hosts);
  };
  const Drawn short_ones = all_with_all(100, false), long_and_alike = all_with_all(100'000, true);
  EXPECT_EQ(most(short_ones, {}), 9);
  EXPECT_EQ(most(short_ones, full_aggregation), 1);
  EXPECT_EQ(most(long_and_alike, {}), 9);
  EXPECT_EQ(most(long_and_alike, full_aggregation), 3);
}

TEST(Aggregation, is_chosen_where_it_is_faster) {
  const auto best = [](const Drawn& drawn) { return aggregation_for(drawn.messages, drawn.hosts, {}); };
  EXPECT_EQ(best(all_with_all(100, false)), (Aggregation{1024, false}));
  EXPECT_TRUE(best(all_with_all(100'000, true)).sends_once);
  EXPECT_EQ(best(all_with_all(100'000, false)), Aggregation{});
  EXPECT_EQ(best({.hosts = {0, 1}, .messages = {{0, 1, 100, 0}, {1, 0, 100, 0}}}), Aggregation{});
  Drawn neighbours_twice{.hosts = {0, 1}, .messages = {}};
  for (int k = 0; k < 10; ++k) neighbours_twice.messages.push_back({0, 1, 100, k});
  EXPECT_EQ(best(neighbours_twice), (Aggregation{1024, false}));
}

// The ranks of a host take turns to gather.
TEST(Aggregation, spreads_the_work_over_the_ranks_of_a_host) {
  Drawn drawn{.hosts = {0, 0, 1, 1, 2, 2}, .messages = {}};
  for (Rank from = 0; from < 6; ++from) {
    for (Rank to = 0; to < 6; ++to) drawn.messages.push_back({from, to, 8, to});
  }
  std::map<Rank, int> sent;
  for (const Leg& leg : travel_of(drawn.messages, drawn.hosts, full_aggregation).legs) {
    if (drawn.hosts[static_cast<std::size_t>(leg.from)] != drawn.hosts[static_cast<std::size_t>(leg.to)])
      ++sent[leg.from];
  }
  for (Rank rank = 0; rank < 6; ++rank) EXPECT_EQ(sent[rank], 1);
}

}  // namespace
}  // namespace espalier::halo
