// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/stream.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "../../support/shared_bytes.hpp"

namespace espalier {
namespace {

constexpr std::size_t page = 4096;

ShmFrame message_of(std::size_t bytes, std::uint64_t run = 0) {
  return {.kind = FrameKind::message, .key = {.run = run, .context = 3, .channel = 7}, .bytes = bytes};
}

// Both ends of a stream in so many bytes.
struct Ends {
  static constexpr std::uint32_t spare_rings = 3;

  explicit Ends(std::size_t bytes = page)
      : memory(bytes), spare_memory(spare_rings * SpareArea::ring_bytes), size(stream_size_within(bytes)) {}

  SharedBytes memory, spare_memory;
  StreamSize size;
  SpareArea area{.base = spare_memory.data(), .rings = spare_rings};
  SpareRings spares{area};
  StreamWriter writer{memory.data(), size, &spares};
  StreamReader reader{memory.data(), size, area};

  // What says only that the next one is elsewhere is passed over.
  bool has_frame() {
    while (reader.has_frame()) {
      if (reader.frame().kind != FrameKind::moved) return true;
      EXPECT_TRUE(reader.leads_on(reader.frame()));
      reader.take(reader.frame());
    }
    return false;
  }

  std::vector<std::byte> read() {
    const ShmFrame frame = reader.frame();
    const std::byte* const payload = reader.payload(frame);
    std::vector<std::byte> found(payload, payload + frame.bytes);
    reader.take(frame);
    return found;
  }
};

// Bytes that no other message of the test has.
std::vector<std::byte> bytes_of(std::uint64_t number, std::size_t count) {
  std::mt19937_64 random(number);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Stream, fits_into_its_memory) {
  for (const std::size_t bytes : {page, 2 * page, 16 * page}) {
    const StreamSize size = stream_size_within(bytes);
    EXPECT_LE(size.total_bytes(), bytes);
    EXPECT_GT(size.total_bytes(), bytes - cache_line_bytes);
    EXPECT_EQ(size.data_bytes % cache_line_bytes, 0u);
  }
}

TEST(Stream, is_empty_where_memory_is_zero) { EXPECT_FALSE(Ends().reader.has_frame()); }

TEST(Stream, carries_what_a_frame_says) {
  Ends ends;
  const ShmFrame message = message_of(0, 5);
  ASSERT_TRUE(ends.writer.write(message, nullptr));
  ASSERT_TRUE(ends.writer.write({.kind = FrameKind::announcement,
                                 .key = message.key,
                                 .bytes = 1 << 20,
                                 .transfer = 9,
                                 .answer = 0,
                                 .address = 77},
                                nullptr));
  ASSERT_TRUE(ends.writer.write({.kind = FrameKind::grant, .key = {}, .transfer = 9, .answer = 4}, nullptr));
  const ShmFrame first = ends.reader.frame();
  EXPECT_EQ(first.kind, FrameKind::message);
  EXPECT_EQ(first.key, message.key);
  ends.reader.take(first);
  const ShmFrame second = ends.reader.frame();
  EXPECT_EQ(second.kind, FrameKind::announcement);
  EXPECT_EQ(second.bytes, 1u << 20);
  EXPECT_EQ(second.transfer, 9u);
  EXPECT_EQ(second.address, 77u);
  ends.reader.take(second);
  EXPECT_EQ(ends.reader.frame().answer, 4u);
}

TEST(Stream, takes_no_more_than_there_is_room_for_and_all_that_there_is) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, std::size_t{33}, std::size_t{600}}) {
    Ends ends;
    const auto payload = bytes_of(1, bytes);
    std::uint32_t written = 0;
    while (ends.writer.write(message_of(bytes), payload.data())) ++written;
    EXPECT_GE(written, 3u);
    EXPECT_LE(written, ends.size.lines);
    ASSERT_TRUE(ends.reader.has_frame());
    EXPECT_EQ(ends.read(), payload);
    EXPECT_TRUE(ends.writer.write(message_of(bytes), payload.data())) << bytes;
  }
}

TEST(Stream, finds_room_for_the_longest_payload_wherever_an_empty_ring_begins) {
  Ends ends;
  const auto longest = bytes_of(2, ends.writer.max_payload());
  for (std::size_t turn = 0; turn < 3 * ends.size.data_bytes / cache_line_bytes; ++turn) {
    ASSERT_TRUE(ends.writer.write(message_of(40), bytes_of(turn, 40).data()));
    EXPECT_EQ(ends.read(), bytes_of(turn, 40));
    ASSERT_TRUE(ends.writer.write(message_of(longest.size()), longest.data())) << turn;
    EXPECT_EQ(ends.read(), longest);
  }
}

TEST(Stream, shows_no_frame_that_was_not_written_after_many_laps) {
  Ends ends;
  for (std::uint64_t turn = 0; turn < 10ULL * ends.size.lines; ++turn) {
    EXPECT_FALSE(ends.reader.has_frame());
    ASSERT_TRUE(ends.writer.write(message_of(8, turn), bytes_of(turn, 8).data()));
    ASSERT_TRUE(ends.reader.has_frame());
    EXPECT_EQ(ends.reader.frame().key.run, turn);
    ends.read();
  }
}

TEST(Stream, refuses_a_payload_that_nobody_can_have_written) {
  Ends ends;
  ShmFrame frame = message_of(ends.writer.max_payload() + 1);
  EXPECT_EQ(ends.reader.payload(frame), nullptr);
  frame.bytes = ~std::uint64_t{0};
  EXPECT_EQ(ends.reader.payload(frame), nullptr);
}

// A reader that is far behind.
TEST(Stream, goes_on_in_spare_rings_until_all_are_full) {
  Ends ends;
  std::uint64_t written = 0, rings = 0;
  do {
    while (ends.writer.write(message_of(40, written), bytes_of(written, 40).data())) ++written;
    ++rings;
  } while (ends.writer.move_on());
  EXPECT_EQ(rings, 1 + Ends::spare_rings);
  EXPECT_GT(written, Ends::spare_rings * 200u);
  for (std::uint64_t number = 0; number < written; ++number) {
    ASSERT_TRUE(ends.has_frame());
    EXPECT_EQ(ends.reader.frame().key.run, number);
    ASSERT_EQ(ends.read(), bytes_of(number, 40));
  }
  EXPECT_FALSE(ends.has_frame());
}

TEST(Stream, returns_to_its_own_ring_and_gives_the_others_back) {
  Ends ends;
  std::uint64_t written = 0, read = 0;
  const auto write = [&] {
    const bool has_room = ends.writer.write(message_of(40, written), bytes_of(written, 40).data());
    written += has_room ? 1 : 0;
    return has_room;
  };
  const auto read_all = [&] {
    for (; ends.has_frame(); ++read) ASSERT_EQ(ends.read(), bytes_of(read, 40));
    EXPECT_EQ(read, written);
  };
  for (std::uint32_t turn = 0; turn < 20 * Ends::spare_rings; ++turn) {
    while (write()) {
    }
    ASSERT_TRUE(ends.writer.move_on()) << turn;
    ASSERT_TRUE(write());
    read_all();
    ASSERT_TRUE(write());  // at home again
    read_all();
    ASSERT_TRUE(write());  // and it sees that its reader is, too
    read_all();
  }
}

TEST(Stream, is_led_nowhere_where_no_ring_is) {
  Ends ends;
  EXPECT_TRUE(ends.reader.leads_on({.kind = FrameKind::moved, .address = Ends::spare_rings}));
  EXPECT_FALSE(ends.reader.leads_on({.kind = FrameKind::moved, .address = Ends::spare_rings + 1}));
}

// In order and whole, whoever is faster.
TEST(Stream, brings_everything_from_one_thread_to_another) {
  constexpr std::uint64_t messages = 20'000;
  Ends ends(2 * page);
  const auto size_of = [&](std::uint64_t number) {
    std::mt19937_64 random(number ^ 0x5EED);
    return random() % 3 == 0 ? random() % (ends.size.max_payload() + 1) : random() % 48;
  };
  std::thread writer([&] {
    for (std::uint64_t number = 0; number < messages; ++number) {
      const auto payload = bytes_of(number, size_of(number));
      int looks = 0;
      while (!ends.writer.write(message_of(payload.size(), number), payload.data())) {
        if (++looks % 3 != 0 || !ends.writer.move_on()) std::this_thread::yield();
      }
    }
  });
  for (std::uint64_t number = 0; number < messages; ++number) {
    while (!ends.has_frame()) std::this_thread::yield();
    ASSERT_EQ(ends.reader.frame().key.run, number);
    ASSERT_EQ(ends.read(), bytes_of(number, size_of(number)));
  }
  writer.join();
}

}  // namespace
}  // namespace espalier
