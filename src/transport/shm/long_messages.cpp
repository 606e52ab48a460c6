// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/long_messages.hpp"

#include <sched.h>

#include <chrono>
#include <cstring>
#include <new>

namespace espalier {

namespace {

std::uint64_t address_of(const std::byte* data) { return reinterpret_cast<std::uintptr_t>(data); }

}  // namespace

LongMessages::LongMessages(FramesOut& to, StreamReader& from, const OtherProcess& memory, const LongLimits& limits)
    : to_(to), from_(from), memory_(memory), limits_(limits) {}

// One half for each end, at most.
std::size_t LongMessages::slice_bytes(std::size_t bytes) const {
  const std::size_t half = (bytes / 2 + cache_line_bytes) / cache_line_bytes * cache_line_bytes;
  return std::min(half, limits_.max_slice_bytes);
}

std::uint32_t LongMessages::slices_in(std::size_t bytes) const {
  const std::size_t slice = slice_bytes(bytes);
  return static_cast<std::uint32_t>((bytes + slice - 1) / slice);
}

LongMessages::SliceRange LongMessages::range_of(const MessageSlices::Slices& slices, std::size_t bytes) const {
  const std::size_t offset = slices.first * slice_bytes(bytes);
  return {offset, std::min(slices.count * slice_bytes(bytes), bytes - offset)};
}

// The sender's part.

void LongMessages::announce(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose,
                            Token token) {
  const TransferName name = outgoing_.add({.data = data, .bytes = bytes, .whose = &whose, .token = token});
  if (name == 0) return whose.fail(no_memory_left);
  in_pieces_.reserve(outgoing_.slots());  // what is asked for finds room
  in_slices_.reserve(outgoing_.slots());
  const std::uint32_t slot = decltype(outgoing_)::slot_of(name);
  const bool has_slices = slot < max_announced;
  if (has_slices) to_.stream().slices(slot).open(name);
  to_.write({{.kind = FrameKind::announcement,
              .key = key,
              .bytes = bytes,
              .transfer = name,
              .address = has_slices ? address_of(data) : 0}});
}

void LongMessages::write_slices_for(const ShmFrame& request) {
  OutgoingTransfer* const transfer = outgoing_.find(request.transfer);
  if (transfer == nullptr || !memory_.is_readable()) return;
  transfer->into = request.address;
  transfer->wanted = std::min<std::size_t>(request.bytes, transfer->bytes);
  in_slices_.push_back(request.transfer);
}

bool LongMessages::write_slices() {
  bool has_written = false;
  for (std::size_t k = 0; k < in_slices_.size();) {
    if (write_slice(in_slices_[k])) {
      has_written = true;
      ++k;
    } else {
      in_slices_.erase(in_slices_.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  return has_written;
}

// False: there is no other one that it can write. What it has taken, but cannot write, the receiver reads.
bool LongMessages::write_slice(TransferName name) {
  const OutgoingTransfer& transfer = *outgoing_.find(name);
  MessageSlices& slices = to_.stream().slices(decltype(outgoing_)::slot_of(name));
  const MessageSlices::Slices taken = slices.take(name, slices_in(transfer.wanted), 1);
  if (taken.count == 0) return false;
  const SliceRange slice = range_of(taken, transfer.wanted);
  if (!memory_.write(transfer.into + slice.offset, transfer.data + slice.offset, slice.bytes)) {
    slices.decline();
    return false;
  }
  slices.note_written();
  return true;
}

void LongMessages::write_pieces_for(const ShmFrame& grant) {
  OutgoingTransfer* const transfer = outgoing_.find(grant.transfer);
  if (transfer == nullptr) return;
  transfer->answer = grant.answer;
  std::erase(in_slices_, grant.transfer);
  in_pieces_.push_back(grant.transfer);
}

// In turn, so that none waits for another one.
bool LongMessages::write_pieces() {
  bool has_written = false;
  for (std::size_t k = 0; k < in_pieces_.size() && !to_.is_full();) {
    OutgoingTransfer& transfer = *outgoing_.find(in_pieces_[k]);
    if (!write_piece(transfer)) break;
    has_written = true;
    if (transfer.written < transfer.bytes) {
      ++k;
    } else {
      end_outgoing(in_pieces_[k]);
    }
  }
  return has_written;
}

bool LongMessages::write_piece(OutgoingTransfer& transfer) {
  const std::size_t bytes = std::min(limits_.piece_bytes, transfer.bytes - transfer.written);
  const ShmFrame frame{.kind = FrameKind::piece, .key = {}, .bytes = bytes, .transfer = transfer.answer};
  if (!to_.stream().write(frame, transfer.data + transfer.written)) return false;
  transfer.written += bytes;
  return true;
}

void LongMessages::end_outgoing(TransferName name) {
  const OutgoingTransfer& transfer = *outgoing_.find(name);
  transfer.whose->complete(transfer.token);
  std::erase(in_pieces_, name);
  std::erase(in_slices_, name);
  outgoing_.remove(name);
}

// The receiver's.

bool LongMessages::can_be_read(const ShmFrame& announcement) const {
  return announcement.address != 0 && announcement.bytes >= limits_.sliced_bytes && memory_.is_readable();
}

void LongMessages::receive(const PostedReceive& to, const ShmFrame& announcement) {
  const TransferName name = incoming_.add(
      {.into = to, .bytes = announcement.bytes, .source = announcement.transfer, .address = announcement.address});
  if (name == 0) return to.whose->fail(no_memory_left);
  read_.reserve(incoming_.slots());
  if (!can_be_read(announcement)) return ask_for_pieces(name);
  read_.push_back(name);
  to_.write({{.kind = FrameKind::request,
              .key = {},
              .bytes = incoming_.find(name)->wanted(),
              .transfer = announcement.transfer,
              .address = address_of(to.data)}});
}

// One of each, in turn.
bool LongMessages::read_slices() {
  bool has_moved = false;
  for (std::size_t k = 0; k < read_.size();) {
    const TransferName name = read_[k];
    const Reading found = read_slice(*incoming_.find(name));
    has_moved = has_moved || found != Reading::waits;
    if (found == Reading::waits || found == Reading::goes_on) {
      ++k;
      continue;
    }
    read_.erase(read_.begin() + static_cast<std::ptrdiff_t>(k));
    finish_reading(name, found);
  }
  return has_moved;
}

void LongMessages::finish_reading(TransferName name, Reading found) {
  Completions& whose = *incoming_.find(name)->into.whose;
  try {
    found == Reading::is_over ? end_reading(name) : ask_for_pieces(name);
  } catch (const std::bad_alloc&) {
    whose.fail(no_memory_left);
  }
}

LongMessages::Reading LongMessages::read_slice(IncomingTransfer& transfer) {
  if (const MessageSlices::Slices next = next_slices(transfer); next.count > 0) {
    const SliceRange slice = range_of(next, transfer.wanted());
    if (!memory_.read(transfer.address + slice.offset, transfer.into.data + slice.offset, slice.bytes)) {
      stop_writer(transfer);
      return Reading::has_failed;
    }
    transfer.slices_read += next.count;
    return has_all(transfer) ? Reading::is_over : Reading::goes_on;
  }
  return has_all(transfer) ? Reading::is_over : Reading::waits;
}

// The two halves of a message at once, where the other end has one of this process's to read meanwhile.
MessageSlices::Slices LongMessages::next_slices(IncomingTransfer& transfer) {
  const std::uint32_t slices = slices_in(transfer.wanted());
  if (!transfer.is_alone && slices_of(transfer).written() == MessageSlices::declined) [[unlikely]] {
    transfer.is_alone = true;
    transfer.slices_read = 0;
  }
  if (transfer.is_alone) return {transfer.slices_read, transfer.slices_read < slices ? 1U : 0U};
  const bool both_read = slices == 2 && !outgoing_.empty();
  const MessageSlices::Slices taken = slices_of(transfer).take(transfer.source, slices, both_read ? 2 : 1);
  transfer.slices_taken += taken.count;
  return taken;
}

// If the sender has taken it back meanwhile, it is never over, as a message that was not sent.
bool LongMessages::has_all(const IncomingTransfer& transfer) {
  const MessageSlices& slices = slices_of(transfer);
  const std::uint32_t written = transfer.is_alone ? 0 : slices.written();
  return transfer.slices_read + written == slices_in(transfer.wanted()) && slices.is_open(transfer.source);
}

// It is over when the sender can learn of it: then this process may leave, and the sender does not wait for its return.
void LongMessages::end_reading(TransferName name) {
  const IncomingTransfer transfer = *incoming_.find(name);
  incoming_.remove(name);
  to_.write({{.kind = FrameKind::read, .key = {}, .transfer = transfer.source},
             nullptr,
             transfer.into.whose,
             transfer.into.token});
}

// A sender that is at it needs some microseconds. One that died or was stopped writes nothing.
void LongMessages::stop_writer(const IncomingTransfer& transfer) {
  constexpr std::chrono::seconds longest{1};
  if (transfer.is_alone) return;
  MessageSlices& slices = slices_of(transfer);
  const std::uint32_t taken = slices.take_all(transfer.source, slices_in(transfer.wanted()));
  const auto until = std::chrono::steady_clock::now() + longest;
  const auto is_writing = [&] {
    const std::uint32_t written = slices.written();
    return written != MessageSlices::declined && transfer.slices_taken + written < taken &&
           slices.is_open(transfer.source);
  };
  while (is_writing() && std::chrono::steady_clock::now() < until) sched_yield();
}

void LongMessages::ask_for_pieces(TransferName name) {
  const TransferName source = incoming_.find(name)->source;
  to_.write({{.kind = FrameKind::grant, .key = {}, .transfer = source, .answer = name}});
}

void LongMessages::take_piece(const ShmFrame& frame, const std::byte* payload) {
  IncomingTransfer* const transfer = incoming_.find(frame.transfer);
  if (transfer == nullptr) return;  // of a run that was abandoned
  const PostedReceive& into = transfer->into;
  const std::size_t at = transfer->received;
  if (at < into.bytes) std::memcpy(into.data + at, payload, std::min<std::size_t>(frame.bytes, into.bytes - at));
  transfer->received += frame.bytes;
  if (transfer->received < transfer->bytes) return;
  into.whose->complete(into.token);
  incoming_.remove(frame.transfer);
}

// Both.

bool LongMessages::take(const ShmFrame& frame, const std::byte* payload) {
  switch (frame.kind) {
    case FrameKind::request: write_slices_for(frame); return true;
    case FrameKind::grant: write_pieces_for(frame); return true;
    case FrameKind::piece: take_piece(frame, payload); return true;
    case FrameKind::read:
      if (outgoing_.find(frame.transfer) != nullptr) end_outgoing(frame.transfer);
      return true;
    default: return false;
  }
}

// A process that has something to read does that first: the other end, which may have as much, then does likewise, and
// neither gets into the other one's cache.
bool LongMessages::make_progress() {
  bool has_moved = !read_.empty() && read_slices();
  if (!in_slices_.empty() && !has_moved) has_moved = write_slices();
  if (!in_pieces_.empty()) has_moved = write_pieces() || has_moved;
  return has_moved;
}

void LongMessages::forget(const Completions& whose) {
  outgoing_.remove_if([&](const OutgoingTransfer& one) { return one.whose == &whose; },
                      [&](TransferName name) {
                        std::erase(in_pieces_, name);
                        std::erase(in_slices_, name);
                        const std::uint32_t slot = decltype(outgoing_)::slot_of(name);
                        if (slot < max_announced) to_.stream().slices(slot).close();
                      });
  incoming_.remove_if([&](const IncomingTransfer& one) { return one.into.whose == &whose; },
                      [&](TransferName name) {
                        if (std::erase(read_, name) > 0) stop_writer(*incoming_.find(name));
                      });
}

}  // namespace espalier
