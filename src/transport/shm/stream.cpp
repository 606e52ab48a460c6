// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/stream.hpp"

#include <algorithm>
#include <cstring>

namespace espalier {

namespace {

constexpr std::size_t bytes_before_lines = sizeof(shm::ReaderLine) + max_announced * sizeof(std::atomic<TransferName>);
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
      announced(reinterpret_cast<std::atomic<TransferName>*>(base + sizeof(ReaderLine))),
      lines(reinterpret_cast<FrameLine*>(base + bytes_before_lines)),
      data(base + bytes_before_lines + its_size.lines * sizeof(FrameLine)) {}

bool StreamWriter::has_room(std::size_t payload_bytes) {
  const auto has = [&] {
    return at_.lines() - lines_read_ < memory_.size.lines &&
           at_.data_after(payload_bytes) - data_read_ <= memory_.size.data_bytes;
  };
  if (has()) [[likely]]
    return true;
  // Of the two the lines are written last.
  lines_read_ = memory_.reader->lines.load(std::memory_order_acquire);
  data_read_ = memory_.reader->data.load(std::memory_order_relaxed);
  return has();
}

bool StreamWriter::write(const ShmFrame& frame, const std::byte* payload) {
  const std::size_t payload_bytes = payload_of(frame);
  if (!has_room(payload_bytes)) return false;
  shm::FrameLine& line = memory_.lines[at_.line()];
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
    std::memcpy(memory_.data + at_.offset_of(payload_bytes), payload, payload_bytes);
  } else if (payload_bytes > 0) {
    std::memcpy(line.payload, payload, payload_bytes);
  }
  line.lap.store(at_.lap(), std::memory_order_release);
  at_.advance(payload_bytes);
  return true;
}

void StreamWriter::allow_reading(TransferName name, std::size_t slot) {
  memory_.announced[slot].store(name, std::memory_order_release);
}

// Before the message changes.
void StreamWriter::forbid_reading(std::size_t slot) {
  memory_.announced[slot].store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

ShmFrame StreamReader::frame() const {
  const shm::FrameLine& line = memory_.lines[at_.line()];
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
  if (frame.bytes <= shm::FrameLine::payload_bytes) return memory_.lines[at_.line()].payload;
  if (frame.bytes > memory_.size.max_payload()) return nullptr;
  return memory_.data + at_.offset_of(frame.bytes);
}

void StreamReader::take(const ShmFrame& frame) {
  at_.advance(payload_of(frame));
  memory_.reader->data.store(at_.data(), std::memory_order_relaxed);
  memory_.reader->lines.store(at_.lines(), std::memory_order_release);
}

bool StreamReader::may_be_read(TransferName name, std::size_t slot) const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return memory_.announced[slot].load(std::memory_order_acquire) == name;
}

}  // namespace espalier
