// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/shm_peer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace espalier {

namespace {

// A long wait for others is not made longer by more than that.
constexpr int max_frames_at_once = 64;

LongMessages::LongLimits within(LongMessages::LongLimits limits, std::size_t max_payload) {
  limits.piece_bytes = std::min(limits.piece_bytes, max_payload);
  return limits;
}

}  // namespace

ShmPeer::ShmPeer(const ShmLink& link, const ShmLimits& limits)
    : short_bytes_(std::min(limits.short_bytes, link.to.max_payload())),
      out_(link.to, link.sleep),
      from_(link.from),
      long_(out_, from_, link.memory, within(limits.of_long, link.to.max_payload())) {}

void ShmPeer::send(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose,
                   Token token) try {
  begin_sending(key, data, bytes, whose, token);
} catch (const std::bad_alloc&) {
  whose.fail(no_memory_left);
}

void ShmPeer::begin_sending(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose,
                            Token token) {
  if (bytes > short_bytes_) return long_.announce(key, data, bytes, whose, token);
  out_.write({{.kind = FrameKind::message, .key = key, .bytes = bytes}, data, &whose, token});
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
  if (out_.is_full()) [[unlikely]]
    has_moved = out_.write_waiting() || has_moved;
  if (long_.is_busy()) has_moved = long_.make_progress() || has_moved;
  if (has_moved) out_.wake_reader();  // for what was written, or for room to write
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
    case FrameKind::moved:
      if (!from_.leads_on(frame)) fail_all(damaged_memory);
      return from_.leads_on(frame);
    default:
      if (!long_.take(frame, payload)) fail_all(damaged_memory);
      return true;
  }
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
  if (frame.kind == FrameKind::announcement) return long_.receive(to, frame);
  if (bytes > 0) std::memcpy(to.data, payload, bytes);
  to.whose->complete(to.token);
}

void ShmPeer::forget(const Completions& whose) {
  std::erase_if(posted_, [&](const PostedReceive& one) { return one.whose == &whose; });
  out_.forget(whose);
  long_.forget(whose);
}

void ShmPeer::fail_all(ShmError error) {
  for (const PostedReceive& one : posted_) one.whose->fail(error);
  posted_.clear();
}

}  // namespace espalier
