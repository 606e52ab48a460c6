// SPDX-License-Identifier: Apache-2.0
// Frames from one process to another one, in memory that both have mapped. Every cache line has one writer; numbers
// only grow, so nothing is ever reset, and nobody needs an atomic operation that reads and writes.
//
//   reader's line    | how many lines and bytes it has read: what the writer may write again
//   slices           | of announced messages that can be read in the writer's memory: what of them is copied
//   lines            | one for each frame, with payloads up to 32 bytes; the lap number is written last
//   data             | longer payloads, one after the other, each in one piece
//
// Memory that is all zero is an empty stream. A writer whose reader is far behind goes on in a spare ring
// (spare_rings.hpp) and returns when all there is read; a frame says where the next one is.
#pragma once

#include <atomic>
#include <optional>

#include "transport/shm/frame.hpp"
#include "transport/shm/message_slices.hpp"
#include "transport/shm/spare_rings.hpp"

namespace espalier {

inline constexpr std::size_t cache_line_bytes = 64;

struct StreamSize {
  std::uint32_t lines = 0;
  std::uint32_t data_bytes = 0;  // whole cache lines

  // Finds room in an empty ring wherever that begins: up to a quarter is skipped at its end.
  [[nodiscard]] std::size_t max_payload() const { return data_bytes / 4; }
  [[nodiscard]] std::size_t total_bytes() const;
};

// A stream with that many bytes in all, which is at least a page.
[[nodiscard]] StreamSize stream_size_within(std::size_t bytes);

inline constexpr std::size_t max_announced = 32;  // that can be read in the sender's memory; others go in pieces

namespace shm {

struct alignas(cache_line_bytes) ReaderLine {
  std::atomic<std::uint64_t> lines, data;
};

struct alignas(cache_line_bytes) FrameLine {
  static constexpr std::size_t payload_bytes = 32;

  std::atomic<std::uint32_t> lap;  // from 1
  FrameKind kind;
  Channel channel;
  std::uint32_t context;
  std::uint32_t transfer;
  std::uint64_t run;
  std::uint64_t bytes;
  union {
    std::byte payload[payload_bytes];
    struct {
      std::uint64_t address;
      std::uint32_t answer;
    };
  };
};
static_assert(sizeof(FrameLine) == cache_line_bytes);

// Where all of it lies.
struct StreamMemory {
  StreamMemory(std::byte* base, const StreamSize& size);

  StreamSize size;
  ReaderLine* reader;
  MessageSlices* slices;
  FrameLine* lines;
  std::byte* data;
};

// A place in the two rings, from the beginning of time.
class StreamPlace {
 public:
  explicit StreamPlace(const StreamSize& size) : size_(size) {}

  [[nodiscard]] std::uint32_t line() const { return line_; }
  [[nodiscard]] std::uint32_t lap() const { return lap_; }
  [[nodiscard]] std::uint64_t lines() const { return lines_; }
  [[nodiscard]] std::uint64_t data() const { return data_; }
  // Where a payload of that size goes, if it does not fit into a line; and where the ring then is.
  [[nodiscard]] std::size_t offset_of(std::size_t bytes) const {
    const std::size_t offset = data_ % size_.data_bytes;
    return offset + bytes > size_.data_bytes ? 0 : offset;
  }
  [[nodiscard]] std::uint64_t data_after(std::size_t bytes) const {
    if (bytes <= FrameLine::payload_bytes) return data_;
    const std::size_t offset = data_ % size_.data_bytes;
    const std::size_t skipped = offset + bytes > size_.data_bytes ? size_.data_bytes - offset : 0;
    return data_ + skipped + (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
  }
  void advance(std::size_t payload_bytes) {
    data_ = data_after(payload_bytes);
    ++lines_;
    if (++line_ == size_.lines) {
      line_ = 0;
      ++lap_;
    }
  }

 private:
  StreamSize size_;
  std::uint32_t line_ = 0, lap_ = 1;
  std::uint64_t lines_ = 0, data_ = 0;
};

// One end's place in it.
struct StreamRing {
  StreamRing(std::byte* base, const StreamSize& size) : memory(base, size), at(size) {}

  StreamMemory memory;
  StreamPlace at;
};

}  // namespace shm

// One for each stream, in the process that writes there.
class StreamWriter {
 public:
  // The rings must outlive this; null: there are none.
  StreamWriter(std::byte* base, const StreamSize& size, SpareRings* spares = nullptr)
      : ring_(base, size), own_(ring_), slices_(ring_.memory.slices), spares_(spares) {}

  [[nodiscard]] std::size_t max_payload() const { return own_.memory.size.max_payload(); }
  // False: there is no room. `payload`: the bytes of a frame that has one, at most max_payload().
  [[nodiscard]] bool write(const ShmFrame& frame, const std::byte* payload);
  // There was no room, and the reader does not come: then there is some in a spare ring. False: there is none left.
  [[nodiscard]] bool move_on();

  // Of the announced message in that slot.
  [[nodiscard]] MessageSlices& slices(std::size_t slot) { return slices_[slot]; }

 private:
  [[nodiscard]] bool has_room(std::size_t payload_bytes);
  [[nodiscard]] bool has_been_read(const shm::StreamRing& ring) const;
  void put(const ShmFrame& frame, const std::byte* payload);
  void enter(const shm::StreamRing& ring);
  void look_after_spares();

  shm::StreamRing ring_;                          // where it writes
  std::uint64_t lines_read_ = 0, data_read_ = 0;  // there, as last seen
  shm::StreamRing own_;                           // while it writes elsewhere
  std::optional<shm::StreamRing> left_;           // a spare one that its reader has yet to leave
  MessageSlices* slices_;
  SpareRings* spares_;
  std::optional<std::uint32_t> spare_;  // the last of those that it has
};

// One for each stream, in the process that reads there.
class StreamReader {
 public:
  // `spares`: the writer's.
  StreamReader(std::byte* base, const StreamSize& size, const SpareArea& spares = {})
      : ring_(base, size), own_(ring_), slices_(ring_.memory.slices), spares_(spares) {}

  // Whether there is a frame: then what it says, until take().
  [[nodiscard]] bool has_frame() const {
    return ring_.memory.lines[ring_.at.line()].lap.load(std::memory_order_acquire) == ring_.at.lap();
  }
  [[nodiscard]] ShmFrame frame() const;
  // False: it sends the reader where there is no ring, which nobody wrote who follows these rules.
  [[nodiscard]] bool leads_on(const ShmFrame& frame) const { return frame.address <= spares_.rings; }
  // Null: it says that it is longer than any can be, which nobody wrote who follows these rules.
  [[nodiscard]] const std::byte* payload(const ShmFrame& frame) const;
  // It was read: the writer may use its memory again.
  void take(const ShmFrame& frame);

  [[nodiscard]] MessageSlices& slices(std::size_t slot) { return slices_[slot]; }

 private:
  void follow(std::uint64_t ring);

  shm::StreamRing ring_;  // where it reads
  shm::StreamRing own_;   // while it reads elsewhere
  bool is_at_home_ = true;
  MessageSlices* slices_;
  SpareArea spares_;
};

}  // namespace espalier
