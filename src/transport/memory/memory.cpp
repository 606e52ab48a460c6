// SPDX-License-Identifier: Apache-2.0
#include "transport/memory/memory.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

namespace espalier {

namespace {

template <class T>
T taken(std::vector<T>& from, std::size_t index) {
  std::swap(from[index], from.back());
  T result = from.back();
  from.pop_back();
  return result;
}

std::string channel_text(Rank sender, Rank receiver, Channel channel) {
  return std::to_string(channel) + " of " + std::to_string(sender) + " -> " + std::to_string(receiver);
}

}  // namespace

MemoryNetwork::MemoryNetwork(Rank ranks, Seed seed, std::chrono::milliseconds patience)
    : seed_(seed), patience_(patience), random_(seed), inboxes_(static_cast<std::size_t>(ranks)) {
  note_activity();
}

std::string MemoryNetwork::error() const {
  const Lock lock(mutex_);
  return error_;
}

bool MemoryNetwork::failed() const {
  const Lock lock(mutex_);
  return !error_.empty();
}

bool MemoryNetwork::idle() const {
  const Lock lock(mutex_);
  return transfers_.empty() && arrivals_.empty() &&
         std::all_of(inboxes_.begin(), inboxes_.end(), [](const Inbox& inbox) { return inbox.tokens.empty(); });
}

std::string MemoryNetwork::unmatched() const {
  const Lock lock(mutex_);
  std::string text;
  for (const auto& [key, waiting] : channels_) {
    const auto& [sender, receiver, channel] = key;
    if (waiting.sends.empty() && waiting.recvs.empty()) continue;
    text += "channel " + channel_text(sender, receiver, channel) + ": " + std::to_string(waiting.sends.size()) +
            " sends, " + std::to_string(waiting.recvs.size()) + " receives without a partner\n";
  }
  return text;
}

void MemoryNetwork::post_send(Rank to, Channel channel, const Side& side) {
  const Lock lock(mutex_);
  const Key key{side.rank, to, channel};
  Unmatched& waiting = channels_[key];
  waiting.sends.push_back(side);
  match(key, waiting);
}

void MemoryNetwork::post_recv(Rank from, Channel channel, const Side& side) {
  const Lock lock(mutex_);
  const Key key{from, side.rank, channel};
  Unmatched& waiting = channels_[key];
  waiting.recvs.push_back(side);
  match(key, waiting);
}

void MemoryNetwork::match(const Key& key, Unmatched& waiting) {
  note_activity();
  if (waiting.sends.empty() || waiting.recvs.empty()) return;
  const Transfer transfer{waiting.sends.front(), waiting.recvs.front()};
  waiting.sends.pop_front();
  waiting.recvs.pop_front();
  if (transfer.send.bytes != transfer.recv.bytes) {
    const auto& [sender, receiver, channel] = key;
    return fail("length mismatch on channel " + channel_text(sender, receiver, channel) + ": " +
                std::to_string(transfer.send.bytes) + " bytes sent, " + std::to_string(transfer.recv.bytes) +
                " expected");
  }
  transfers_.push_back(transfer);
  inboxes_[static_cast<std::size_t>(transfer.send.rank)].changed.notify_one();
  inboxes_[static_cast<std::size_t>(transfer.recv.rank)].changed.notify_one();
}

std::size_t MemoryNetwork::below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

void MemoryNetwork::arrive(const Side& side) {
  arrivals_.push_back({side.rank, side.token});
  inboxes_[static_cast<std::size_t>(side.rank)].changed.notify_one();
}

// Lets one random thing happen that can happen.
bool MemoryNetwork::advance() {
  if (transfers_.empty() && arrivals_.empty()) return false;
  note_activity();
  const std::size_t choice = below(transfers_.size() + arrivals_.size());
  if (choice < transfers_.size()) {
    const Transfer transfer = taken(transfers_, choice);
    if (transfer.send.bytes != 0) std::memcpy(transfer.recv.data, transfer.send.data, transfer.send.bytes);
    arrive(transfer.send);
    arrive(transfer.recv);
  } else {
    const Arrival arrival = taken(arrivals_, choice - transfers_.size());
    Inbox& inbox = inboxes_[static_cast<std::size_t>(arrival.rank)];
    inbox.tokens.push_back(arrival.token);
    inbox.changed.notify_one();
  }
  return true;
}

void MemoryNetwork::fail(std::string error) {
  if (error_.empty()) error_ = std::move(error) + " (seed " + std::to_string(seed_) + ")";
  for (Inbox& inbox : inboxes_) inbox.changed.notify_one();
}

void MemoryNetwork::wait(Rank rank, Token token) {
  Lock lock(mutex_);
  Inbox& inbox = inboxes_[static_cast<std::size_t>(rank)];
  while (error_.empty()) {
    const auto found = std::find(inbox.tokens.begin(), inbox.tokens.end(), token);
    if (found != inbox.tokens.end()) {
      inbox.tokens.erase(found);
      return;
    }
    if (advance()) continue;
    if (inbox.changed.wait_for(lock, patience_) == std::cv_status::timeout) {
      fail("deadlock: rank " + std::to_string(rank) + " waits in vain for its message " + std::to_string(token));
    }
  }
}

void MemoryNetwork::poll(Rank rank, std::vector<Token>& tokens) {
  {
    const Lock lock(mutex_);
    std::vector<Token>& arrived = inboxes_[static_cast<std::size_t>(rank)].tokens;
    if (arrived.empty()) (void)advance();
    std::shuffle(arrived.begin(), arrived.end(), random_);
    const std::size_t count = arrived.empty() ? 0 : 1 + below(arrived.size());
    tokens.assign(arrived.end() - static_cast<std::ptrdiff_t>(count), arrived.end());
    arrived.resize(arrived.size() - count);
    if (count == 0 && std::chrono::steady_clock::now() - last_activity_ > patience_) {
      fail("deadlock: rank " + std::to_string(rank) + " polls in vain");
    }
  }
  if (tokens.empty()) std::this_thread::yield();
}

void MemoryTransport::reserve(std::size_t tokens) { polled_.reserve(tokens); }

MemoryNetwork::Side MemoryTransport::side(Token token, const Message& message) const {
  return {rank_, token, message.data, message.bytes};
}

void MemoryTransport::send(Token token, const Message& message) {
  network_.post_send(message.peer, message.channel, side(token, message));
}

void MemoryTransport::recv(Token token, const Message& message) {
  network_.post_recv(message.peer, message.channel, side(token, message));
}

std::span<const Token> MemoryTransport::poll() {
  network_.poll(rank_, polled_);
  return polled_;
}

}  // namespace espalier
