// SPDX-License-Identifier: Apache-2.0
// A sender over links that a test plays: pieces by turns and by load; links that refuse, fail or are full; grants that
// are late, of several messages, too short or too long; arrivals out of order; epochs that end with pieces under way,
// of which some have arrived; records that are not taken at once.
#include "transport/fabric/protocol/sender.hpp"

#include <gtest/gtest.h>

#include "fake_link.hpp"

namespace espalier::sender_test {
namespace {

using fake::FakeLink;
using Result = FakeLink::PostResult;

class Sending {
 public:
  explicit Sending(int lanes = 1, Path path = 0, double bytes_per_second = 0) : nobody(lanes, bytes_per_second) {
    outlet.path = path;
    sender.add(outlet);
    begin_epoch(first_lanes(lanes));
  }
  void begin_epoch(LaneSet lanes) {
    links_.open(*nobody.gateway, nobody.peer, lanes, {});
    links_.first().expect_records({.out = Seal({}, 0, 1, 1), .in = Seal({}, 1, 0, 1)});
    sender.begin_epoch(lanes);
  }
  void end_epoch() {
    links_.close(*nobody.gateway);
    sender.end_epoch();
    nobody.gateway->keep_for_a_while(links_.take());
  }
  void post(std::size_t bytes, std::byte* data = nullptr) {
    outlet.post(next_token_++, {.path = outlet.path, .data = data, .bytes = bytes});
    turns.add(outlet);
    sender.write(outlet);
  }
  void grant(std::uint64_t first_piece, std::uint64_t pieces, std::size_t bytes) {
    outlet.granted.push_back({.first_piece = first_piece, .pieces = pieces, .bytes = bytes, .has_bytes = bytes != 0});
    sender.write(outlet);
  }
  [[nodiscard]] FakeLink& link(std::size_t k) { return *nobody.gateway->links[k]; }
  // The pieces that were written by a link and are not over.
  [[nodiscard]] std::vector<std::uint64_t> pieces(std::size_t k) {
    std::vector<std::uint64_t> numbers;
    for (const auto& one : link(k).written) {
      const bool is_under_way = one.write->outlet != nullptr && one.write->piece.number == one.piece.number;
      if (is_under_way) numbers.push_back(one.piece.number);
    }
    return numbers;
  }
  void finish(std::size_t k, std::uint64_t piece) {
    for (const auto& one : link(k).written) {
      if (one.write->outlet != nullptr && one.write->piece.number == piece) return sender.finish(*one.write);
    }
    ADD_FAILURE() << "piece " << piece << " is not under way";
  }
  [[nodiscard]] bool takes_pending() {
    const bool was = sender.has_pending_work();
    sender.begin_round();
    return was;
  }

  fake::FakePeer nobody;
  fake::FakeRun run{4};
  StreamEnd::Messages messages{64};
  Outlet outlet{run, messages, nobody.peer, 2};

 private:
  LinkSet links_;
  Token next_token_ = 0;

 public:
  Turns turns{0};
  Sender sender{links_, turns, 1};
};

using Pieces64 = std::vector<std::uint64_t>;

TEST(Sender, writes_what_is_both_posted_and_granted_whichever_comes_first) {
  Sending sending;
  sending.post(100);
  EXPECT_EQ(sending.pieces(0), Pieces64());
  sending.grant(0, 1, 100);
  EXPECT_EQ(sending.pieces(0), Pieces64{0});
  sending.grant(1, 2, 150);
  sending.post(50);
  EXPECT_EQ(sending.pieces(0), (Pieces64{0, 1}));
  sending.post(100);
  EXPECT_EQ(sending.pieces(0), (Pieces64{0, 1, 2}));
  EXPECT_EQ(sending.link(0).written[2].target.address, 50u);
}

TEST(Sender, completes_messages_in_order_however_their_pieces_arrive) {
  Sending sending;
  for (int k = 0; k < 3; ++k) sending.post(0);
  sending.grant(0, 3, 0);
  sending.finish(0, 2);
  sending.finish(0, 1);
  EXPECT_TRUE(sending.run.over().empty());
  sending.finish(0, 0);
  EXPECT_EQ(sending.run.over(), (std::vector<Token>{0, 1, 2}));
  EXPECT_TRUE(sending.takes_pending());
}

TEST(Sender, divides_pieces_among_lanes_by_what_these_have_under_way) {
  Sending sending(2);
  sending.post(4 * max_piece_bytes);
  sending.grant(0, 4, 4 * max_piece_bytes);
  EXPECT_EQ(sending.pieces(0).size(), 2u);
  EXPECT_EQ(sending.pieces(1).size(), 2u);
}

TEST(Sender, takes_another_link_where_one_is_refused_and_tries_again_where_all_are) {
  Sending sending(2);
  sending.link(0).answer = Result::refused;
  sending.post(0);
  sending.post(0);
  sending.grant(0, 2, 0);
  EXPECT_EQ(sending.pieces(1), (Pieces64{0, 1}));
  (void)sending.takes_pending();
  sending.link(1).answer = Result::failed;
  sending.post(0);
  sending.grant(2, 1, 0);
  EXPECT_TRUE(sending.takes_pending());
  EXPECT_EQ(sending.pieces(1), (Pieces64{0, 1}));
  sending.link(0).answer = Result::taken;
  sending.sender.write_all();
  EXPECT_EQ(sending.pieces(0), Pieces64{2});
  EXPECT_FALSE(sending.takes_pending());
}

TEST(Sender, waits_for_room) {
  Sending sending;
  for (int k = 0; k < 10; ++k) sending.post(0);
  sending.grant(0, 10, 0);
  EXPECT_EQ(sending.pieces(0).size(), max_writes_under_way);
  EXPECT_TRUE(sending.takes_pending());
  sending.finish(0, 5);
  sending.sender.write_all();
  EXPECT_EQ(sending.pieces(0).size(), max_writes_under_way);
  EXPECT_EQ(sending.link(0).written.back().piece.number, max_writes_under_way);
}

TEST(Sender, keeps_to_the_nic_that_a_path_names_as_long_as_there_is_one) {
  Sending sending(2, only_by(1));
  for (int k = 0; k < 3; ++k) sending.post(0);
  sending.grant(0, 3, 0);
  EXPECT_EQ(sending.pieces(0), Pieces64());
  EXPECT_EQ(sending.pieces(1).size(), 3u);
  sending.end_epoch();
  sending.begin_epoch(0b01);
  sending.post(0);
  for (std::uint64_t piece = 0; piece < 4; ++piece) sending.grant(piece, 1, 0);
  EXPECT_EQ(sending.pieces(0).size(), 4u);
}

TEST(Sender, begins_a_message_for_one_nic_when_that_is_nearly_free_unless_nobody_looks) {
  Sending sending(2, only_by(1), max_piece_bytes);
  std::vector<std::byte> data(4 * max_piece_bytes);
  for (int k = 0; k < 2; ++k) sending.post(data.size(), data.data());
  sending.nobody.gateway->loads[1]->note_write(4 * max_piece_bytes);  // for somebody else
  sending.grant(0, 4, data.size());
  EXPECT_EQ(sending.pieces(1), Pieces64());
  EXPECT_TRUE(sending.takes_pending());
  sending.run.set_attended(false);
  sending.sender.write_all();
  EXPECT_EQ(sending.pieces(1).size(), 4u);
}

TEST(Sender, prefers_every_second_lane_where_a_path_is_of_these_and_takes_idle_ones_too) {
  Sending sending(4, 1);
  sending.nobody.gateway->loads[1]->note_write(10);
  sending.nobody.gateway->loads[3]->note_write(10);
  for (int k = 0; k < 4; ++k) sending.post(0);
  sending.grant(0, 4, 0);
  EXPECT_EQ(sending.pieces(0).size() + sending.pieces(2).size(), 4u);
}

TEST(Sender, fails_the_run_where_a_grant_is_shorter_or_longer_than_its_message) {
  for (const std::size_t bytes : {std::size_t{99}, std::size_t{101}}) {
    Sending sending;
    sending.post(100);
    sending.grant(0, 1, bytes);
    EXPECT_EQ(sending.run.error(), other_length);
    EXPECT_EQ(sending.run.failed_peer(), 1);
    EXPECT_EQ(sending.pieces(0), Pieces64());
  }
}

TEST(Sender, goes_no_further_ahead_than_a_receiver_can_tell_apart) {
  Sending sending;
  std::vector<std::byte> data((Prefix::max_ahead + 2) * max_piece_bytes);
  sending.post(data.size(), data.data());
  sending.grant(0, Prefix::max_ahead + 2, data.size());
  std::uint64_t written = 0;  // all arrive but for the first one
  for (bool any = true; any;) {
    any = false;
    for (std::size_t k = 0; k < sending.link(0).written.size(); ++k) {
      const auto one = sending.link(0).written[k];
      written = std::max(written, one.piece.number);
      if (one.write->outlet == nullptr || one.write->piece.number != one.piece.number || one.piece.number == 0)
        continue;
      sending.sender.finish(*one.write);
      any = true;
    }
    sending.sender.write_all();
  }
  EXPECT_EQ(written, Prefix::max_ahead - 1);
  sending.finish(0, 0);
  sending.sender.write_all();
  EXPECT_EQ(sending.link(0).written.back().piece.number, Prefix::max_ahead + 1);
}

// --- Epochs ---

// Of four pieces under way, the first has arrived unknown to the sender, the second is granted again, and so on.
TEST(Sender, writes_again_what_is_granted_again_and_takes_all_else_for_arrived) {
  for (unsigned arrived = 0; arrived < 16; ++arrived) {
    Sending sending;
    std::array<std::byte, 4> data{};
    for (std::size_t k = 0; k < 4; ++k) sending.post(1, &data[k]);
    sending.grant(0, 4, 4);
    ASSERT_EQ(sending.pieces(0).size(), 4u);
    sending.end_epoch();
    EXPECT_EQ(sending.outlet.unacknowledged.size(), 4u);
    EXPECT_FALSE(sending.nobody.gateway->loads[0]->is_busy());
    sending.begin_epoch(1);
    Pieces64 again;
    for (std::uint64_t piece = 0; piece < 4; ++piece) {
      if ((arrived >> piece & 1) != 0) continue;
      again.push_back(piece);
      sending.outlet.granted.push_back({.first_piece = piece, .pieces = 1, .bytes = 1, .has_bytes = true});
    }
    sending.sender.settle_doubts();
    sending.sender.write(sending.outlet);
    EXPECT_EQ(sending.pieces(0), again);
    for (const std::uint64_t piece : again) {
      sending.finish(0, piece);
      EXPECT_EQ(
          sending.link(0).written[static_cast<std::size_t>(std::ranges::find(again, piece) - again.begin())].piece.data,
          &data[piece]);
    }
    EXPECT_EQ(sending.run.over().size(), 4u) << arrived;
    EXPECT_TRUE(sending.outlet.unacknowledged.empty());
  }
}

TEST(Sender, takes_nothing_for_arrived_before_the_receiver_has_said_so) {
  Sending sending;
  sending.post(0);
  sending.grant(0, 1, 0);
  sending.end_epoch();
  sending.begin_epoch(1);
  sending.sender.write_all();
  EXPECT_TRUE(sending.run.over().empty());
  sending.end_epoch();  // and again
  EXPECT_EQ(sending.outlet.unacknowledged.size(), 1u);
  sending.begin_epoch(1);
  sending.sender.settle_doubts();
  EXPECT_EQ(sending.run.over().size(), 1u);
}

TEST(Sender, does_not_write_again_what_is_granted_twice) {
  Sending sending;
  sending.post(0);
  sending.grant(0, 1, 0);
  sending.grant(0, 1, 0);
  EXPECT_EQ(sending.pieces(0), Pieces64{0});
}

TEST(Sender, forgets_streams_that_are_removed) {
  Sending sending;
  sending.post(0);
  sending.outlet.granted.push_back({.pieces = 1});
  const auto find = [&](std::uint64_t run, Channel channel) {
    FabricRecord::Grant grant{};
    grant.run = {run, 7};
    grant.channel = channel;
    return sending.sender.find(grant);
  };
  EXPECT_EQ(find(4, 2), &sending.outlet);
  EXPECT_EQ(find(4, 3), nullptr);
  EXPECT_EQ(find(5, 2), nullptr);
  sending.sender.remove(sending.outlet);
  EXPECT_EQ(find(4, 2), nullptr);
  EXPECT_FALSE(sending.outlet.is_granted());
  sending.sender.write_all();
  EXPECT_EQ(sending.pieces(0), Pieces64());
}

// --- Records ---

TEST(Sender, sends_records_in_order_by_the_first_link_as_soon_as_that_takes_them) {
  Sending sending(2);
  const auto send_record = [&](std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) sending.sender.send_record(FabricRecord());
  };
  sending.link(0).answer = Result::refused;
  send_record(2);
  sending.sender.begin_round();
  sending.sender.send_records();
  EXPECT_TRUE(sending.takes_pending());
  sending.link(0).answer = Result::taken;
  send_record(8 * SealedRecords::most);
  sending.sender.begin_round();
  sending.sender.send_records();
  EXPECT_TRUE(sending.takes_pending());
  EXPECT_EQ(sending.link(0).sent.size(), 8u);
  sending.link(0).finish(*sending.link(0).sent[0].message);
  sending.sender.send_records();
  EXPECT_FALSE(sending.takes_pending());
  EXPECT_EQ(sending.link(0).sent.size(), 9u);
  EXPECT_EQ(sending.link(0).sent.back().bytes.size(), offsetof(SealedRecords, records) + 2 * sizeof(FabricRecord));
  EXPECT_TRUE(sending.link(1).sent.empty());
  send_record(1);
  sending.sender.forget_records();
  sending.sender.send_records();
  EXPECT_EQ(sending.link(0).sent.size(), 9u);
}

}  // namespace
}  // namespace espalier::sender_test
