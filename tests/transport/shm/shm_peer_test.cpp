// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/shm_peer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>

#include "../../support/shared_bytes.hpp"

namespace espalier {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::uint64_t number, std::size_t count) {
  std::mt19937_64 random(number);
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

constexpr MessageKey key{.run = 4, .context = 9, .channel = 1};
constexpr MessageKey other_key{.run = 4, .context = 9, .channel = 2};

// Two processes, as both of them see the other one; in this process, whose memory can be read.
class TwoProcesses {
 public:
  static constexpr std::size_t page = 4096, stream = 2 * page;

  explicit TwoProcesses(bool is_readable)
      : memory_(2 * stream + page), spare_memory_(2 * spare_rings * SpareArea::ring_bytes) {
    const StreamSize size = stream_size_within(stream);
    const std::uint64_t proof = 0x1234567;
    const OtherProcess process =
        is_readable ? OtherProcess(getpid(), reinterpret_cast<std::uintptr_t>(&proof), proof) : OtherProcess();
    EXPECT_EQ(process.is_readable(), is_readable);
    std::byte* const to_second = memory_.data();
    std::byte* const to_first = memory_.data() + stream;
    const SpareArea of_first_one{.base = spare_memory_.data(), .rings = spare_rings};
    const SpareArea of_second_one{.base = of_first_one.at(spare_rings), .rings = spare_rings};
    spares_[0] = SpareRings(of_first_one);
    spares_[1] = SpareRings(of_second_one);
    const auto link = [&](std::byte* to, std::byte* from, std::size_t sleep_line) {
      const bool is_first = to == to_second;
      return ShmPeer::ShmLink{.to = StreamWriter(to, size, &spares_[is_first ? 0 : 1]),
                              .from = StreamReader(from, size, is_first ? of_second_one : of_first_one),
                              .memory = process,
                              .sleep = SleepWord(memory_.data() + 2 * stream + sleep_line)};
    };
    first_ = std::make_unique<ShmPeer>(link(to_second, to_first, 0), limits);
    second_ = std::make_unique<ShmPeer>(link(to_first, to_second, SleepWord::bytes), limits);
    of_first.reserve(tokens);
    of_second.reserve(tokens);
  }

  [[nodiscard]] ShmPeer& first() { return *first_; }
  [[nodiscard]] ShmPeer& second() { return *second_; }
  // Of the first message that the first one announces.
  [[nodiscard]] MessageSlices& slices() { return StreamReader(memory_.data(), stream_size_within(stream)).slices(0); }
  // Until nothing moves any more.
  void settle() {
    bool has_moved = true;
    while (has_moved) {
      has_moved = first_->make_progress();
      has_moved = second_->make_progress() || has_moved;
    }
  }

  static constexpr std::size_t tokens = 4000;
  static constexpr std::uint32_t spare_rings = 4;
  static constexpr ShmPeer::ShmLimits limits{
      .short_bytes = 256, .of_long = {.piece_bytes = 1024, .sliced_bytes = 20'000, .max_slice_bytes = 8000}};
  Completions of_first, of_second;

 private:
  SharedBytes memory_, spare_memory_;
  SpareRings spares_[2];
  std::unique_ptr<ShmPeer> first_, second_;
};

class Messages : public testing::TestWithParam<bool> {
 protected:
  TwoProcesses two{GetParam()};
};

TEST_P(Messages, of_any_length_arrive) {
  for (const std::size_t bytes : {0, 1, 32, 33, 256, 257, 5000, 20'000, 300'000}) {
    const Bytes sent = bytes_of(bytes, bytes);
    Bytes received(bytes);
    two.first().send(key, sent.data(), bytes, two.of_first, 1);
    two.second().receive(key, received.data(), bytes, two.of_second, 2);
    two.settle();
    EXPECT_TRUE(two.of_first.take(1)) << bytes;
    EXPECT_TRUE(two.of_second.take(2)) << bytes;
    EXPECT_EQ(received, sent);
    EXPECT_FALSE(two.first().is_busy() || two.second().is_busy());
  }
}

TEST_P(Messages, that_are_short_do_not_wait_for_their_receive) {
  const Bytes sent = bytes_of(1, 256);
  two.first().send(key, sent.data(), sent.size(), two.of_first, 1);
  EXPECT_TRUE(two.of_first.take(1));
}

TEST_P(Messages, that_are_long_may_change_only_when_they_were_read) {
  const Bytes sent = bytes_of(1, 30'000);
  Bytes received(sent.size());
  two.first().send(key, sent.data(), sent.size(), two.of_first, 1);
  two.settle();
  EXPECT_FALSE(two.of_first.take(1));
  two.second().receive(key, received.data(), received.size(), two.of_second, 2);
  two.settle();
  EXPECT_TRUE(two.of_first.take(1));
  EXPECT_EQ(received, sent);
}

// Who has received all of it may go and compute for long.
TEST_P(Messages, that_are_long_are_over_here_only_when_the_other_side_can_know_it) {
  const Bytes sent = bytes_of(1, 30'000), filling = bytes_of(2, 256);
  Bytes received(sent.size());
  two.second().receive(key, received.data(), received.size(), two.of_second, 0);
  two.first().send(key, sent.data(), sent.size(), two.of_first, 0);
  Token token = 1;
  while (token < 200) {  // more than the stream holds
    two.second().send(other_key, filling.data(), filling.size(), two.of_second, token++);
  }
  for (int turn = 0; turn < 100; ++turn) (void)two.second().make_progress();
  EXPECT_FALSE(two.of_second.take(0));
  while (!two.of_second.take(0)) {
    (void)two.first().make_progress();
    (void)two.second().make_progress();
  }
  for (int turn = 0; turn < 1000; ++turn) (void)two.first().make_progress();  // alone
  EXPECT_TRUE(two.of_first.take(0));
  EXPECT_EQ(received, sent);
}

TEST_P(Messages, of_one_key_are_matched_in_order_and_others_do_not_wait_for_them) {
  const Bytes a = bytes_of(1, 40), b = bytes_of(2, 40), c = bytes_of(3, 30'000), d = bytes_of(4, 30'000);
  two.first().send(key, a.data(), a.size(), two.of_first, 1);
  two.first().send(key, c.data(), c.size(), two.of_first, 2);
  two.first().send(other_key, b.data(), b.size(), two.of_first, 3);
  two.first().send(other_key, d.data(), d.size(), two.of_first, 4);
  Bytes first(40), second(30'000);
  two.second().receive(other_key, first.data(), first.size(), two.of_second, 1);
  two.second().receive(other_key, second.data(), second.size(), two.of_second, 2);
  two.settle();
  EXPECT_EQ(first, b);
  EXPECT_EQ(second, d);
  two.second().receive(key, first.data(), first.size(), two.of_second, 3);
  two.second().receive(key, second.data(), second.size(), two.of_second, 4);
  two.settle();
  EXPECT_EQ(first, a);
  EXPECT_EQ(second, c);
  for (const Token token : {1U, 2U, 3U, 4U}) EXPECT_TRUE(two.of_first.take(token) && two.of_second.take(token));
}

// A rank may be many calls ahead of another one, which is elsewhere.
TEST_P(Messages, that_are_short_wait_for_no_reader_at_all) {
  constexpr std::size_t many = 1000;
  for (Token k = 0; k < many; ++k) {
    const Bytes sent = bytes_of(k, 32);
    two.first().send(key, sent.data(), sent.size(), two.of_first, k);
    while (!two.of_first.take(k)) (void)two.first().make_progress();
  }
  for (Token k = 0; k < many; ++k) {
    Bytes received(32);
    two.second().receive(key, received.data(), received.size(), two.of_second, k);
    two.settle();
    ASSERT_EQ(received, bytes_of(k, 32)) << k;
  }
}

// More than the stream holds, in both directions, all sent before any is received.
TEST_P(Messages, wait_for_room_without_waiting_for_each_other) {
  constexpr std::size_t many = 2000;
  std::vector<Bytes> sent(many), received(many);
  const auto key_of = [](std::size_t k) { return MessageKey{.run = k, .context = 1, .channel = 0}; };
  for (std::size_t k = 0; k < many; ++k) {
    sent[k] = bytes_of(k, k % 7 == 0 ? 600 : k % 250);
    received[k].resize(sent[k].size());
    ShmPeer& sender = k % 2 == 0 ? two.first() : two.second();
    sender.send(key_of(k), sent[k].data(), sent[k].size(), k % 2 == 0 ? two.of_first : two.of_second,
                static_cast<Token>(k));
  }
  for (std::size_t k = many; k-- > 0;) {
    ShmPeer& receiver = k % 2 == 0 ? two.second() : two.first();
    receiver.receive(key_of(k), received[k].data(), received[k].size(), k % 2 == 0 ? two.of_second : two.of_first,
                     static_cast<Token>(many + k));
  }
  two.settle();
  for (std::size_t k = 0; k < many; ++k) {
    ASSERT_EQ(received[k], sent[k]) << k;
    EXPECT_TRUE((k % 2 == 0 ? two.of_first : two.of_second).take(static_cast<Token>(k)));
    EXPECT_TRUE((k % 2 == 0 ? two.of_second : two.of_first).take(static_cast<Token>(many + k)));
  }
  EXPECT_FALSE(two.first().is_busy() || two.second().is_busy());
}

TEST_P(Messages, that_are_too_long_are_cut_off_and_that_is_an_error) {
  for (const std::size_t bytes : {100, 5000, 50'000}) {
    const Bytes sent = bytes_of(1, bytes);
    Bytes received(bytes);
    two.first().send(key, sent.data(), bytes, two.of_first, 1);
    two.second().receive(key, received.data(), bytes / 2, two.of_second, 2);
    two.settle();
    EXPECT_TRUE(two.of_first.take(1));
    EXPECT_TRUE(two.of_second.take(2));
    EXPECT_TRUE(std::equal(received.begin(), received.begin() + static_cast<std::ptrdiff_t>(bytes / 2), sent.begin()));
    EXPECT_TRUE(std::all_of(received.begin() + static_cast<std::ptrdiff_t>(bytes / 2), received.end(),
                            [](std::byte byte) { return byte == std::byte{}; }));
    EXPECT_EQ(two.of_second.take_error(), cut_off_in_memory);
    EXPECT_FALSE(two.of_second.failed());
  }
}

TEST_P(Messages, that_are_shorter_than_their_receive_leave_the_rest) {
  const Bytes sent = bytes_of(1, 5000);
  Bytes received(6000);
  two.first().send(key, sent.data(), sent.size(), two.of_first, 1);
  two.second().receive(key, received.data(), received.size(), two.of_second, 2);
  two.settle();
  EXPECT_TRUE(two.of_second.take(2));
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), received.begin()));
  EXPECT_EQ(two.of_second.take_error(), 0);
}

// Whatever a run that ends early leaves: its receives take nothing, and nobody reads its messages.
TEST_P(Messages, of_a_run_that_was_abandoned_are_never_over) {
  for (const std::size_t bytes : {5000, 50'000}) {
    const Bytes sent = bytes_of(1, bytes);
    Bytes received(bytes);
    two.first().send(key, sent.data(), bytes, two.of_first, 1);
    two.first().forget(two.of_first);
    two.second().receive(key, received.data(), bytes, two.of_second, 2);
    two.settle();
    EXPECT_FALSE(two.of_second.take(2));
    two.second().forget(two.of_second);
    EXPECT_FALSE(two.first().is_busy() || two.second().is_busy());
  }
}

TEST_P(Messages, that_nobody_receives_any_more_do_not_land) {
  const Bytes sent = bytes_of(1, 5000);
  Bytes received(sent.size());
  two.second().receive(key, received.data(), received.size(), two.of_second, 2);
  two.first().send(key, sent.data(), sent.size(), two.of_first, 1);
  ASSERT_TRUE(two.second().make_progress());  // it asks for the pieces
  two.second().forget(two.of_second);
  two.settle();
  EXPECT_FALSE(two.of_second.take(2));
  EXPECT_EQ(received, Bytes(sent.size()));
  // The next run is not disturbed.
  two.second().receive(other_key, received.data(), 8, two.of_second, 3);
  two.first().send(other_key, sent.data(), 8, two.of_first, 4);
  two.settle();
  EXPECT_TRUE(two.of_second.take(3));
}

TEST_P(Messages, of_a_later_run_show_that_their_sender_is_past_the_one_that_waits) {
  Bytes received(8);
  const Bytes sent = bytes_of(1, 8);
  const MessageKey later{.run = key.run + 1, .context = key.context, .channel = key.channel};
  two.second().receive(key, received.data(), received.size(), two.of_second, 1);
  two.settle();
  EXPECT_FALSE(two.second().run_past(key.context, key.run));
  two.first().send(later, sent.data(), sent.size(), two.of_first, 1);
  two.settle();
  EXPECT_EQ(two.second().run_past(key.context, key.run), later.run);
  EXPECT_FALSE(two.second().run_past(key.context + 1, key.run));
  EXPECT_FALSE(two.second().run_past(key.context, later.run));  // for which nobody waits
}

// Anything in any order, on both sides.
TEST_P(Messages, arrive_however_calls_are_mixed) {
  std::mt19937_64 random(17);
  for (int turn = 0; turn < 60; ++turn) {
    constexpr std::size_t many = 40;
    std::vector<Bytes> sent(many), received(many);
    std::vector<std::size_t> to_send, to_receive;
    for (std::size_t k = 0; k < many; ++k) {
      const std::size_t lengths[] = {random() % 40, random() % 400, random() % 30'000};
      sent[k] = bytes_of(random(), lengths[random() % 3]);
      received[k].resize(sent[k].size());
      to_send.push_back(k);
      to_receive.push_back(k);
    }
    std::shuffle(to_receive.begin(), to_receive.end(), random);
    const auto key_of = [](std::size_t k) { return MessageKey{.run = k, .context = 2, .channel = 3}; };
    while (!to_send.empty() || !to_receive.empty()) {
      switch (random() % 4) {
        case 0:
          if (to_send.empty()) break;
          two.first().send(key_of(to_send.back()), sent[to_send.back()].data(), sent[to_send.back()].size(),
                           two.of_first, static_cast<Token>(to_send.back()));
          to_send.pop_back();
          break;
        case 1:
          if (to_receive.empty()) break;
          two.second().receive(key_of(to_receive.back()), received[to_receive.back()].data(),
                               received[to_receive.back()].size(), two.of_second,
                               static_cast<Token>(to_receive.back()));
          to_receive.pop_back();
          break;
        case 2: (void)two.first().make_progress(); break;
        default: (void)two.second().make_progress();
      }
    }
    two.settle();
    for (std::size_t k = 0; k < many; ++k) {
      ASSERT_TRUE(two.of_first.take(static_cast<Token>(k)) && two.of_second.take(static_cast<Token>(k)));
      ASSERT_EQ(received[k], sent[k]);
    }
    two.of_first.clear();
    two.of_second.clear();
  }
}

// Of messages that both ends copy: 8 slices.
class Slices : public testing::Test {
 protected:
  static constexpr std::size_t slice = TwoProcesses::limits.of_long.max_slice_bytes, bytes = 8 * slice - 5;

  Slices() {
    two.first().send(key, sent.data(), bytes, two.of_first, 1);
    two.second().receive(key, received.data(), bytes, two.of_second, 2);
  }
  [[nodiscard]] std::size_t arrived() const {
    std::size_t count = 0;
    while (count < bytes && received[count] == sent[count]) ++count;
    return count;
  }
  void expect_all() {
    EXPECT_TRUE(two.of_first.take(1) && two.of_second.take(2));
    EXPECT_EQ(received, sent);
    EXPECT_FALSE(two.first().is_busy() || two.second().is_busy());
  }

  TwoProcesses two{true};
  const Bytes sent = bytes_of(1, bytes);
  Bytes received = Bytes(bytes);
};

TEST_F(Slices, are_copied_by_both_ends_in_turn) {
  for (std::size_t number = 0; number < 7; ++number) {
    EXPECT_TRUE((number % 2 == 0 ? two.second() : two.first()).make_progress());
    EXPECT_GE(arrived(), (number + 1) * slice);
    EXPECT_LT(arrived(), (number + 1) * slice + 4);  // unless random bytes are zero, too
  }
  two.settle();
  expect_all();
}

TEST_F(Slices, are_copied_by_the_receiver_alone_while_the_sender_is_elsewhere) {
  for (int turn = 0; turn < 20; ++turn) (void)two.second().make_progress();
  EXPECT_EQ(received, sent);
  EXPECT_TRUE(two.of_second.take(2));
  (void)two.first().make_progress();
  EXPECT_TRUE(two.of_first.take(1));
}

TEST_F(Slices, that_the_sender_cannot_write_the_receiver_reads) {
  (void)two.second().make_progress();
  (void)two.first().make_progress();
  two.slices().decline();
  std::ranges::fill(received, std::byte{});
  for (int turn = 0; turn < 20; ++turn) (void)two.second().make_progress();
  two.settle();
  expect_all();
}

TEST_F(Slices, do_not_land_where_nobody_receives_any_more) {
  (void)two.second().make_progress();
  (void)two.first().make_progress();
  two.second().forget(two.of_second);
  std::ranges::fill(received, std::byte{});
  two.settle();
  EXPECT_EQ(received, Bytes(bytes));
  EXPECT_FALSE(two.of_second.take(2));
  EXPECT_FALSE(two.second().is_busy());
}

TEST_F(Slices, of_a_message_that_was_taken_back_are_not_asked_for_in_the_next_one) {
  (void)two.second().make_progress();
  two.first().forget(two.of_first);
  const Bytes other = bytes_of(2, bytes);
  Bytes other_received(bytes);
  two.first().send(other_key, other.data(), bytes, two.of_first, 3);
  two.settle();
  EXPECT_FALSE(two.of_second.take(2));
  two.second().receive(other_key, other_received.data(), bytes, two.of_second, 4);
  two.settle();
  EXPECT_TRUE(two.of_first.take(3) && two.of_second.take(4));
  EXPECT_EQ(other_received, other);
}

INSTANTIATE_TEST_SUITE_P(Shm, Messages, testing::Bool(),
                         [](const auto& one) { return one.param ? "in_readable_memory" : "in_pieces"; });

TEST(OtherProcess, is_not_readable_where_another_number_lies_or_nothing) {
  const std::uint64_t proof = 5;
  const auto address = reinterpret_cast<std::uintptr_t>(&proof);
  EXPECT_TRUE(OtherProcess(getpid(), address, 5).is_readable());
  EXPECT_FALSE(OtherProcess(getpid(), address, 6).is_readable());
  EXPECT_FALSE(OtherProcess(getpid(), 8, 5).is_readable());
}

}  // namespace
}  // namespace espalier
