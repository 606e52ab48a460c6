// SPDX-License-Identifier: Apache-2.0
// A link against all that a network may answer to a write or a record (taken, refused before and after a connection,
// failed), and records that come in order, doubled, reordered, lost, damaged, cut off, or of another epoch.
#include "transport/fabric/protocol/link.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "fake_link.hpp"

namespace espalier::link_test {
namespace {

using fake::FakeLink;
using Result = FakeLink::PostResult;

// Two links that are the two ends of one connection.
struct TwoEnds {
  explicit TwoEnds(std::uint32_t epoch = 1) {
    const HashKey secret{};
    here.expect_records({.out = Seal(secret, 0, 1, epoch), .in = Seal(secret, 1, 0, epoch)});
    there.expect_records({.out = Seal(secret, 1, 0, epoch), .in = Seal(secret, 0, 1, epoch)});
  }
  void send(std::uint32_t region, std::size_t count = 1) {
    std::vector<FabricRecord> records(count);
    for (FabricRecord& record : records) record.region = region++;
    EXPECT_EQ(here.send(records), count);
  }
  // The regions that the k-th message says.
  std::vector<std::uint32_t> receive(std::size_t k) { return receive(here.sent[k].bytes); }
  std::vector<std::uint32_t> receive(const std::vector<std::byte>& bytes) {
    RecordMessage& message = *there.receives.front();
    std::memcpy(&message.sealed, bytes.data(), std::min(bytes.size(), sizeof message.sealed));
    std::vector<std::uint32_t> regions;
    for (const FabricRecord& record : there.open(message, bytes.size())) regions.push_back(record.region);
    return regions;
  }

  fake::FakePeer nobody{1};
  LaneLoad lane{0, 1, 0};
  FakeLink here{lane, nobody.peer, fake::name_of(1)}, there{lane, nobody.peer, fake::name_of(2)};
};

using Regions = std::vector<std::uint32_t>;

TEST(Link, takes_records_once_and_in_order) {
  TwoEnds ends;
  ends.send(10, 2);
  ends.send(20);
  EXPECT_EQ(ends.receive(0), (Regions{10, 11}));
  EXPECT_EQ(ends.receive(0), Regions());  // doubled
  EXPECT_FALSE(ends.there.has_lost_records());
  EXPECT_EQ(ends.receive(1), Regions{20});
}

TEST(Link, notes_records_that_are_lost_or_come_too_soon) {
  TwoEnds ends;
  ends.send(10);
  ends.send(20);
  EXPECT_EQ(ends.receive(1), Regions());
  EXPECT_TRUE(ends.there.has_lost_records());
}

TEST(Link, takes_no_records_of_somebody_else_or_of_another_epoch_or_damaged_ones) {
  TwoEnds ends(1), of_next_epoch(2);
  of_next_epoch.send(10);
  EXPECT_EQ(ends.receive(of_next_epoch.here.sent[0].bytes), Regions());
  ends.send(10);
  std::vector<std::byte> bytes = ends.here.sent[0].bytes;
  for (const std::size_t length : {std::size_t{0}, sizeof(SealedHead) - 1, bytes.size() - 1, bytes.size() + 1}) {
    std::vector<std::byte> cut = bytes;
    cut.resize(length);
    EXPECT_EQ(ends.receive(cut), Regions()) << length;
  }
  EXPECT_EQ(ends.receive(std::vector<std::byte>(2 * sizeof(SealedRecords))), Regions());
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(ends.receive(bytes), Regions());
  EXPECT_FALSE(ends.there.has_lost_records());
  EXPECT_EQ(ends.receive(0), Regions{10});
}

TEST(Link, sends_as_many_records_as_a_message_holds_and_as_many_messages_as_may_be_under_way) {
  TwoEnds ends;
  const std::vector<FabricRecord> records(SealedRecords::most + 5);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(ends.here.send(records), SealedRecords::most);
  EXPECT_EQ(ends.here.send(records), 0u);
  EXPECT_TRUE(ends.here.is_waiting());
  ends.here.finish(*ends.here.sent[3].message);
  EXPECT_TRUE(ends.here.has_moved());
  EXPECT_FALSE(ends.here.has_moved());
  EXPECT_EQ(ends.here.send(records), SealedRecords::most);
}

TEST(Link, that_is_refused_waits_and_is_broken_only_once_there_was_a_connection) {
  TwoEnds ends;
  ends.here.answer = Result::refused;
  const std::vector<FabricRecord> records(1);
  EXPECT_EQ(ends.here.send(records), 0u);
  EXPECT_TRUE(ends.here.was_refused());
  EXPECT_TRUE(ends.here.is_waiting());
  EXPECT_FALSE(ends.here.is_broken());
  ends.here.answer = Result::taken;
  ends.send(10);
  ends.send(11);
  EXPECT_EQ(ends.here.closed_to_others, 1);
  EXPECT_FALSE(ends.here.was_refused());
  EXPECT_EQ(ends.receive(0), Regions{10});
  ends.here.answer = Result::refused;
  EXPECT_EQ(ends.here.send(records), 0u);
  EXPECT_TRUE(ends.here.is_broken());
}

TEST(Link, is_broken_once_something_failed) {
  TwoEnds ends;
  ends.here.answer = Result::failed;
  EXPECT_EQ(ends.here.send(std::vector<FabricRecord>(1)), 0u);
  EXPECT_TRUE(ends.here.is_broken());
  EXPECT_FALSE(ends.here.is_waiting());
}

struct Writing : TwoEnds {
  fake::FakeRun run{1};
  StreamEnd::Messages messages{4};
  Outlet outlet{run, messages, nobody.peer, 0};
};

TEST(Link, writes_pieces_to_their_memory_and_those_without_bytes_to_the_anchor) {
  Writing ends;
  std::array<std::byte, 100> data{};
  EXPECT_TRUE(ends.here.connect({.key = 9, .base = 90, .name = fake::name_of(2)}));
  Granted granted{.address = 4000, .bytes = 100, .inlet = 5, .has_bytes = true};
  granted.keys[0] = 8;
  EXPECT_TRUE(ends.here.write(ends.outlet, granted, {3, data.data(), data.size()}));
  EXPECT_TRUE(ends.here.write(ends.outlet, {.inlet = 6}, {4, nullptr, 0}));
  const auto& [first, second] = std::tie(ends.here.written[0], ends.here.written[1]);
  EXPECT_EQ(first.target.address, 4000u);
  EXPECT_EQ(first.target.key, 8u);
  EXPECT_EQ(first.target.immediate, Immediate::pack(5, 3));
  EXPECT_EQ(second.target.address, 90u);
  EXPECT_EQ(second.target.key, 9u);
  EXPECT_EQ(second.target.immediate, Immediate::pack(6, 4));
  EXPECT_EQ(ends.lane.bytes_under_way(), 100u);
  ends.here.finish(*first.write);
  ends.here.finish(*second.write);
  EXPECT_FALSE(ends.lane.is_busy());
  EXPECT_FALSE(ends.here.is_waiting());
}

TEST(Link, has_no_room_beyond_its_bytes_but_for_a_path_of_its_own_nic) {
  Writing ends;
  std::vector<std::byte> data(max_piece_bytes);
  for (std::uint64_t k = 0; k < 4; ++k) {
    EXPECT_TRUE(ends.here.has_room(0));
    EXPECT_TRUE(ends.here.write(ends.outlet, {}, {k, data.data(), data.size()}));
  }
  EXPECT_FALSE(ends.here.has_room(0));
  EXPECT_TRUE(ends.here.has_room(only_by(0)));
  for (std::uint64_t k = 4; k < max_writes_under_way; ++k) (void)ends.here.write(ends.outlet, {}, {k, nullptr, 0});
  EXPECT_FALSE(ends.here.has_room(only_by(0)));
}

TEST(Link, is_closed_once_and_what_is_under_way_is_forgotten_without_room_for_more) {
  Writing ends;
  std::array<std::byte, 10> data{};
  EXPECT_TRUE(ends.here.write(ends.outlet, {}, {0, data.data(), data.size()}));
  ends.here.close();
  ends.here.close();
  EXPECT_FALSE(ends.here.is_open());
  EXPECT_EQ(ends.here.closed, 1);
  ends.here.forget(*ends.here.written[0].write);
  EXPECT_FALSE(ends.lane.is_busy());
}

}  // namespace
}  // namespace espalier::link_test
