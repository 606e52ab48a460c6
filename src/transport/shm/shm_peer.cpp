// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/shm_peer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace espalier {

namespace {

// A long wait for others is not made longer by more than that.
constexpr int max_frames_at_once = 64;

std::uint64_t address_of(const std::byte* data) { return reinterpret_cast<std::uintptr_t>(data); }

}  // namespace

ShmPeer::ShmPeer(const ShmLink& link, const ShmLimits& limits)
    : to_(link.to),
      from_(link.from),
      memory_(link.memory),
      sleep_(link.sleep),
      limits_{.short_bytes = std::min(limits.short_bytes, to_.max_payload()),
              .piece_bytes = std::min(limits.piece_bytes, to_.max_payload()),
              .read_bytes = limits.read_bytes} {}

void ShmPeer::send(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose,
                   Token token) try {
  begin_sending(key, data, bytes, whose, token);
} catch (const std::bad_alloc&) {
  whose.fail(no_memory_left);
}

void ShmPeer::begin_sending(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose,
                            Token token) {
  if (bytes > limits_.short_bytes) return announce(key, data, bytes, whose, token);
  write_or_wait({{.kind = FrameKind::message, .key = key, .bytes = bytes}, data, &whose, token});
}

void ShmPeer::announce(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose,
                       Token token) {
  const TransferName name = outgoing_.add({.data = data, .bytes = bytes, .whose = &whose, .token = token});
  if (name == 0) return whose.fail(no_memory_left);
  in_pieces_.reserve(outgoing_.slots());  // a grant finds room
  const std::uint32_t slot = decltype(outgoing_)::slot_of(name);
  const bool can_be_read = slot < max_announced;
  if (can_be_read) to_.allow_reading(name, slot);
  write_or_wait({{.kind = FrameKind::announcement,
                  .key = key,
                  .bytes = bytes,
                  .transfer = name,
                  .address = can_be_read ? address_of(data) : 0}});
}

void ShmPeer::write_or_wait(const WaitingFrame& one) {
  if (!waiting_.empty() || !write(one)) return waiting_.push_back(one);
  sleep_.wake_if_asleep();
}

bool ShmPeer::write(const WaitingFrame& one) {
  if (!to_.write(one.frame, one.payload)) return false;
  if (one.whose != nullptr) one.whose->complete(one.token);
  return true;
}

bool ShmPeer::write_waiting() {
  bool has_written = false;
  for (; !waiting_.empty() && write(waiting_.front()); waiting_.pop_front()) has_written = true;
  return has_written;
}

// In turn, so that none waits for another one.
bool ShmPeer::write_pieces() {
  bool has_written = false;
  for (std::size_t k = 0; k < in_pieces_.size() && waiting_.empty();) {
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

bool ShmPeer::write_piece(OutgoingTransfer& transfer) {
  const std::size_t bytes = std::min(limits_.piece_bytes, transfer.bytes - transfer.written);
  const ShmFrame frame{.kind = FrameKind::piece, .key = {}, .bytes = bytes, .transfer = transfer.answer};
  if (!to_.write(frame, transfer.data + transfer.written)) return false;
  transfer.written += bytes;
  return true;
}

void ShmPeer::end_outgoing(TransferName name) {
  const OutgoingTransfer& transfer = *outgoing_.find(name);
  transfer.whose->complete(transfer.token);
  std::erase(in_pieces_, name);
  outgoing_.remove(name);
}

void ShmPeer::receive(const MessageKey& key, std::byte* data, std::size_t bytes, Completions& whose, Token token) try {
  begin_receiving({key, data, bytes, &whose, token});
} catch (const std::bad_alloc&) {
  whose.fail(no_memory_left);
}

void ShmPeer::begin_receiving(const PostedReceive& posted) {
  const auto early = std::ranges::find(early_, posted.key, [](const EarlyFrame& one) { return one.frame.key; });
  if (early == early_.end()) [[likely]]
    return posted_.push_back(posted);
  const EarlyFrame arrived = std::move(*early);
  early_.erase(early);
  deliver(posted, arrived.frame, arrived.payload.data());
}

std::optional<std::uint64_t> ShmPeer::run_past(std::uint32_t context, std::uint64_t run) const {
  const bool waits = std::ranges::any_of(
      posted_, [&](const PostedReceive& one) { return one.key.context == context && one.key.run == run; });
  const auto other = std::ranges::find_if(
      early_, [&](const EarlyFrame& one) { return one.frame.key.context == context && one.frame.key.run != run; });
  return waits && other != early_.end() ? std::optional(other->frame.key.run) : std::nullopt;
}

bool ShmPeer::make_progress() {
  bool has_moved = false;
  for (int frames = 0; frames < max_frames_at_once && is_busy() && take_frame(); ++frames) has_moved = true;
  if (!waiting_.empty()) [[unlikely]]
    has_moved = write_waiting() || has_moved;
  if (!in_pieces_.empty()) has_moved = write_pieces() || has_moved;
  if (has_moved) sleep_.wake_if_asleep();  // for what was written, or for room to write
  return has_moved;
}

bool ShmPeer::take_frame() {
  if (!from_.has_frame()) return false;
  const ShmFrame frame = from_.frame();
  const std::byte* const payload = frame.has_payload() ? from_.payload(frame) : nullptr;
  if (frame.has_payload() && payload == nullptr) [[unlikely]] {
    fail_all(damaged_memory);
    return false;
  }
  if (!take_in(frame, payload)) return false;
  from_.take(frame);
  return true;
}

// False: it stays where it is until there is memory to set it aside, or a receive for it.
bool ShmPeer::take_in(const ShmFrame& frame, const std::byte* payload) {
  switch (frame.kind) {
    case FrameKind::message:
    case FrameKind::announcement: return match(frame, payload);
    case FrameKind::piece: take_piece(frame, payload); return true;
    case FrameKind::grant:
      if (OutgoingTransfer* const transfer = outgoing_.find(frame.transfer)) {
        transfer->answer = frame.answer;
        in_pieces_.push_back(frame.transfer);
      }
      return true;
    case FrameKind::read:
      if (outgoing_.find(frame.transfer) != nullptr) end_outgoing(frame.transfer);
      return true;
  }
  fail_all(damaged_memory);
  return true;
}

bool ShmPeer::match(const ShmFrame& frame, const std::byte* payload) {
  const auto found = std::ranges::find(posted_, frame.key, &PostedReceive::key);
  if (found == posted_.end()) [[unlikely]]
    return set_aside(frame, payload);
  const PostedReceive posted = *found;
  posted_.erase(found);
  try {
    deliver(posted, frame, payload);
  } catch (const std::bad_alloc&) {
    posted.whose->fail(no_memory_left);
  }
  return true;
}

bool ShmPeer::set_aside(const ShmFrame& frame, const std::byte* payload) try {
  EarlyFrame early{frame, {}};
  if (payload != nullptr) early.payload.assign(payload, payload + frame.bytes);
  early_.push_back(std::move(early));
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void ShmPeer::deliver(const PostedReceive& to, const ShmFrame& frame, const std::byte* payload) {
  const std::size_t bytes = std::min<std::size_t>(to.bytes, frame.bytes);
  if (bytes < frame.bytes) [[unlikely]]
    to.whose->note(cut_off_in_memory);
  if (frame.kind == FrameKind::announcement) {
    if (!has_been_read(to, frame)) ask_for_pieces(to, frame);
    return;
  }
  if (bytes > 0) std::memcpy(to.data, payload, bytes);
  to.whose->complete(to.token);
}

// It is over when the sender can learn of it: then this process may leave, and the sender does not wait for its return.
// If the sender has taken it back meanwhile, it will send no pieces either: then the receive is never over, as that of
// a message that was not sent.
bool ShmPeer::has_been_read(const PostedReceive& to, const ShmFrame& frame) {
  if (frame.address == 0 || frame.bytes < limits_.read_bytes || !memory_.is_readable()) return false;
  if (!memory_.read(frame.address, to.data, std::min<std::size_t>(to.bytes, frame.bytes))) return false;
  if (!from_.may_be_read(frame.transfer, decltype(outgoing_)::slot_of(frame.transfer) % max_announced)) return false;
  write_or_wait({{.kind = FrameKind::read, .key = {}, .transfer = frame.transfer}, nullptr, to.whose, to.token});
  return true;
}

void ShmPeer::ask_for_pieces(const PostedReceive& to, const ShmFrame& frame) {
  const TransferName name = incoming_.add({.into = to, .bytes = frame.bytes});
  if (name == 0) return to.whose->fail(no_memory_left);
  write_or_wait({{.kind = FrameKind::grant, .key = {}, .transfer = frame.transfer, .answer = name}});
}

void ShmPeer::take_piece(const ShmFrame& frame, const std::byte* payload) {
  IncomingTransfer* const transfer = incoming_.find(frame.transfer);
  if (transfer == nullptr) return;  // of a run that was abandoned
  const PostedReceive& into = transfer->into;
  if (transfer->read < into.bytes) {
    std::memcpy(into.data + transfer->read, payload, std::min<std::size_t>(frame.bytes, into.bytes - transfer->read));
  }
  transfer->read += frame.bytes;
  if (transfer->read < transfer->bytes) return;
  into.whose->complete(into.token);
  incoming_.remove(frame.transfer);
}

void ShmPeer::forget(const Completions& whose) {
  const auto is_its = [&](const auto& one) { return one.whose == &whose; };
  std::erase_if(posted_, is_its);
  std::erase_if(waiting_, is_its);
  outgoing_.remove_if(is_its, [&](TransferName name) {
    std::erase(in_pieces_, name);
    if (const std::uint32_t slot = decltype(outgoing_)::slot_of(name); slot < max_announced) to_.forbid_reading(slot);
  });
  incoming_.remove_if([&](const IncomingTransfer& one) { return is_its(one.into); }, [](TransferName) {});
}

void ShmPeer::fail_all(ShmError error) {
  for (const PostedReceive& one : posted_) one.whose->fail(error);
  posted_.clear();
}

}  // namespace espalier
