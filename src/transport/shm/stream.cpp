// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace espalier {

namespace {

constexpr std::size_t bytes_before_lines = sizeof(shm::ReaderLine) + max_announced * sizeof(MessageSlices);
static_assert(bytes_before_lines % cache_line_bytes == 0);

std::size_t payload_of(const ShmFrame& frame) { return frame.has_payload() ? frame.bytes : 0; }

}  // namespace

std::size_t StreamSize::total_bytes() const { return bytes_before_lines + lines * sizeof(shm::FrameLine) + data_bytes; }

// A quarter of it for lines: most messages are short.
StreamSize stream_size_within(std::size_t bytes) {
  constexpr std::size_t most_lines = 256;
  const std::size_t all = (bytes - bytes_before_lines) / cache_line_bytes;
  const std::size_t lines = std::min(all / 4, most_lines);
  return {static_cast<std::uint32_t>(lines), static_cast<std::uint32_t>((all - lines) * cache_line_bytes)};
}

shm::StreamMemory::StreamMemory(std::byte* base, const StreamSize& its_size)
    : size(its_size),
      reader(reinterpret_cast<ReaderLine*>(base)),
      slices(reinterpret_cast<MessageSlices*>(base + sizeof(ReaderLine))),
      lines(reinterpret_cast<FrameLine*>(base + bytes_before_lines)),
      data(base + bytes_before_lines + its_size.lines * sizeof(FrameLine)) {}

bool StreamWriter::has_been_read(const shm::StreamRing& ring) const {
  return ring.memory.reader->lines.load(std::memory_order_acquire) == ring.at.lines();
}

// A line is kept, to say where the next frame is.
bool StreamWriter::has_room(std::size_t payload_bytes) {
  const auto has = [&] {
    return ring_.at.lines() - lines_read_ + 1 < ring_.memory.size.lines &&
           ring_.at.data_after(payload_bytes) - data_read_ <= ring_.memory.size.data_bytes;
  };
  if (has()) [[likely]]
    return true;
  // Of the two the lines are written last.
  lines_read_ = ring_.memory.reader->lines.load(std::memory_order_acquire);
  data_read_ = ring_.memory.reader->data.load(std::memory_order_relaxed);
  return has();
}

bool StreamWriter::write(const ShmFrame& frame, const std::byte* payload) {
  if (spare_) [[unlikely]]
    look_after_spares();
  if (!has_room(payload_of(frame))) return false;
  put(frame, payload);
  return true;
}

void StreamWriter::put(const ShmFrame& frame, const std::byte* payload) {
  const std::size_t payload_bytes = payload_of(frame);
  shm::FrameLine& line = ring_.memory.lines[ring_.at.line()];
  line.kind = frame.kind;
  line.channel = frame.key.channel;
  line.context = frame.key.context;
  line.run = frame.key.run;
  line.transfer = frame.transfer;
  line.bytes = frame.bytes;
  if (!frame.has_payload()) {
    line.address = frame.address;
    line.answer = frame.answer;
  } else if (payload_bytes > shm::FrameLine::payload_bytes) {
    std::memcpy(ring_.memory.data + ring_.at.offset_of(payload_bytes), payload, payload_bytes);
  } else if (payload_bytes > 0) {
    std::memcpy(line.payload, payload, payload_bytes);
  }
  line.lap.store(ring_.at.lap(), std::memory_order_release);
  ring_.at.advance(payload_bytes);
}

void StreamWriter::enter(const shm::StreamRing& ring) {
  ring_ = ring;
  lines_read_ = ring_.memory.reader->lines.load(std::memory_order_acquire);
  data_read_ = ring_.memory.reader->data.load(std::memory_order_relaxed);
}

// What another stream has left in the ring is cleared away first.
bool StreamWriter::move_on() {
  const std::optional<std::uint32_t> next = spares_ != nullptr ? spares_->take(spare_) : std::nullopt;
  if (!next) return false;
  const StreamSize size = stream_size_within(SpareArea::ring_bytes);
  const bool is_at_home = !spare_ || left_;
  std::memset(spares_->at(*next), 0, size.total_bytes() - size.data_bytes);
  put({.kind = FrameKind::moved, .address = *next + 1}, nullptr);
  if (is_at_home) own_ = ring_;
  left_.reset();
  spare_ = next;
  enter(shm::StreamRing(spares_->at(*next), size));
  return true;
}

// It returns to its own ring when all in the spare one is read, and gives that back when its reader has left, too.
void StreamWriter::look_after_spares() {
  if (left_) {
    if (!has_been_read(*left_)) return;
    left_.reset();
    spares_->give_back(std::exchange(spare_, {}));
  } else if (ring_.at.lines() > 0 && has_been_read(ring_)) {
    put({.kind = FrameKind::moved}, nullptr);
    left_ = ring_;
    enter(own_);
  }
}

ShmFrame StreamReader::frame() const {
  const shm::FrameLine& line = ring_.memory.lines[ring_.at.line()];
  ShmFrame frame{.kind = line.kind,
                 .key = {.run = line.run, .context = line.context, .channel = line.channel},
                 .bytes = line.bytes,
                 .transfer = line.transfer};
  if (!frame.has_payload()) {
    frame.answer = line.answer;
    frame.address = line.address;
  }
  return frame;
}

const std::byte* StreamReader::payload(const ShmFrame& frame) const {
  if (frame.bytes <= shm::FrameLine::payload_bytes) return ring_.memory.lines[ring_.at.line()].payload;
  if (frame.bytes > ring_.memory.size.max_payload()) return nullptr;
  return ring_.memory.data + ring_.at.offset_of(frame.bytes);
}

void StreamReader::take(const ShmFrame& frame) {
  ring_.at.advance(payload_of(frame));
  ring_.memory.reader->data.store(ring_.at.data(), std::memory_order_relaxed);
  ring_.memory.reader->lines.store(ring_.at.lines(), std::memory_order_release);
  if (frame.kind == FrameKind::moved) [[unlikely]]
    follow(frame.address);
}

void StreamReader::follow(std::uint64_t ring) {
  if (is_at_home_) own_ = ring_;
  is_at_home_ = ring == 0;
  ring_ = is_at_home_ ? own_
                      : shm::StreamRing(spares_.at(static_cast<std::uint32_t>(ring - 1)),
                                        stream_size_within(SpareArea::ring_bytes));
}

}  // namespace espalier
