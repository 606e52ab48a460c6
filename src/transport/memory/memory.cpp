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
  T result = std::move(from.back());
  from.pop_back();
  return result;
}

template <class ChannelKey>
std::string channel_text(const ChannelKey& key) {
  const auto& [sender, receiver, run, channel] = key;
  return "channel " + std::to_string(channel) + " of " + std::to_string(sender) + " -> " + std::to_string(receiver);
}

}  // namespace

MemoryNetwork::MemoryNetwork(Seed seed, std::chrono::milliseconds patience)
    : seed_(seed), patience_(patience), random_(seed) {
  note_activity();
}

std::string MemoryNetwork::error() const {
  const MutexLock lock(mutex_);
  return error_;
}

bool MemoryNetwork::failed() const {
  const MutexLock lock(mutex_);
  return !error_.empty();
}

bool MemoryNetwork::idle() const {
  const MutexLock lock(mutex_);
  return transfers_.empty() && arrivals_.empty() &&
         std::ranges::all_of(mailboxes_, [](const Mailbox& mailbox) { return mailbox.tokens.empty(); });
}

std::string MemoryNetwork::unmatched() const {
  const MutexLock lock(mutex_);
  std::string text;
  for (const auto& [key, traffic] : channels_) {
    if (traffic.sends.empty() && traffic.recvs.empty()) continue;
    text += channel_text(key) + ": " + std::to_string(traffic.sends.size()) + " sends, " +
            std::to_string(traffic.recvs.size()) + " receives without a partner\n";
  }
  return text;
}

MemoryNetwork::Mailbox& MemoryNetwork::add_mailbox(Rank rank) {
  const MutexLock lock(mutex_);
  Mailbox& mailbox = mailboxes_.emplace_back();
  mailbox.rank = rank;
  return mailbox;
}

void MemoryNetwork::post_send(const ChannelKey& key, const PostedSend& send) {
  const MutexLock lock(mutex_);
  ChannelQueues& traffic = channels_[key];
  traffic.sends.push_back(send);
  match(key, traffic);
}

MemoryNetwork::ReceivePtr MemoryNetwork::post_recv(const ChannelKey& key, const Receive& receive) {
  const MutexLock lock(mutex_);
  ChannelQueues& traffic = channels_[key];
  if (!traffic.opened.empty()) return ask_for_next(key, traffic, receive);
  auto posted = std::make_shared<Receive>(receive);
  traffic.recvs.push_back(posted);
  match(key, traffic);
  return posted;
}

MemoryNetwork::ReceivePtr MemoryNetwork::ask_for_next(const ChannelKey& key, ChannelQueues& traffic,
                                                      const Receive& asked) {
  ReceivePtr opened = std::move(traffic.opened.front());
  traffic.opened.pop_front();
  if (opened->data != asked.data || opened->bytes != asked.bytes) {
    fail("a message on " + channel_text(key) + " is asked for elsewhere than it was opened for");
  }
  opened->token = asked.token;
  landed_early_ += opened->has_landed ? 1 : 0;
  if (opened->has_landed) arrive(*opened->mailbox, *opened->token);
  return opened;
}

void MemoryNetwork::open(const ChannelKey& key, const Receive& receive) {
  const MutexLock lock(mutex_);
  ChannelQueues& traffic = channels_[key];
  auto opened = std::make_shared<Receive>(receive);
  traffic.recvs.push_back(opened);
  traffic.opened.push_back(std::move(opened));
  match(key, traffic);
}

void MemoryNetwork::match(const ChannelKey& key, ChannelQueues& traffic) {
  note_activity();
  if (traffic.sends.empty() || traffic.recvs.empty()) return;
  MatchedMessage transfer{traffic.sends.front(), std::move(traffic.recvs.front())};
  traffic.sends.pop_front();
  traffic.recvs.pop_front();
  const auto& [send, recv] = transfer;
  if (send.bytes != recv->bytes) {
    return fail("length mismatch on " + channel_text(key) + ": " + std::to_string(send.bytes) + " bytes sent, " +
                std::to_string(recv->bytes) + " expected");
  }
  send.mailbox->changed.notify_one();
  recv->mailbox->changed.notify_one();
  transfers_.push_back(std::move(transfer));
}

std::size_t MemoryNetwork::below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

void MemoryNetwork::arrive(Mailbox& mailbox, Token token) {
  arrivals_.push_back({&mailbox, token});
  mailbox.changed.notify_one();
}

void MemoryNetwork::move_bytes(const MatchedMessage& transfer) {
  const auto& [send, recv] = transfer;
  recv->has_landed = true;
  if (recv->may_stay) {
    recv->lent.assign(send.data, send.data + send.bytes);
    ++lent_;
  } else if (send.bytes != 0) {
    std::memcpy(recv->data, send.data, send.bytes);
  }
  arrive(*send.mailbox, send.token);
  if (recv->token) arrive(*recv->mailbox, *recv->token);
}

// Lets one random thing happen that can happen.
bool MemoryNetwork::advance() {
  if (transfers_.empty() && arrivals_.empty()) return false;
  note_activity();
  const std::size_t choice = below(transfers_.size() + arrivals_.size());
  if (choice < transfers_.size()) {
    move_bytes(taken(transfers_, choice));
  } else {
    const Arrival arrival = taken(arrivals_, choice - transfers_.size());
    arrival.mailbox->tokens.push_back(arrival.token);
    arrival.mailbox->changed.notify_one();
  }
  return true;
}

void MemoryNetwork::fail(std::string error) {
  if (error_.empty()) error_ = std::move(error) + " (seed " + std::to_string(seed_) + ")";
  for (Mailbox& mailbox : mailboxes_) mailbox.changed.notify_one();
}

bool MemoryNetwork::take(Mailbox& mailbox, Token token) {
  const auto found = std::ranges::find(mailbox.tokens, token);
  if (found == mailbox.tokens.end()) return false;
  mailbox.tokens.erase(found);
  return true;
}

bool MemoryNetwork::test(Mailbox& mailbox, Token token) {
  const MutexLock lock(mutex_);
  if (take(mailbox, token)) return true;
  (void)advance();
  return false;
}

void MemoryNetwork::wait(Mailbox& mailbox, Token token) {
  MutexLock lock(mutex_);
  while (error_.empty() && !take(mailbox, token)) {
    if (advance()) continue;
    if (mailbox.changed.wait_for(lock, patience_) == std::cv_status::timeout) {
      fail("deadlock: rank " + std::to_string(mailbox.rank) + " waits without result for its message " +
           std::to_string(token));
    }
  }
}

void MemoryNetwork::poll(Mailbox& mailbox, std::vector<Token>& tokens) {
  const MutexLock lock(mutex_);
  std::vector<Token>& arrived = mailbox.tokens;
  if (arrived.empty()) (void)advance();
  std::ranges::shuffle(arrived, random_);
  const std::size_t count = arrived.empty() ? 0 : 1 + below(arrived.size());
  tokens.assign(arrived.end() - static_cast<std::ptrdiff_t>(count), arrived.end());
  arrived.resize(arrived.size() - count);
  if (count == 0 && std::chrono::steady_clock::now() - last_activity_ > patience_) {
    fail("deadlock: rank " + std::to_string(mailbox.rank) + " polls without result");
  }
}

// Nothing comes to this port any more.
void MemoryNetwork::forget(Mailbox& mailbox) {
  const MutexLock lock(mutex_);
  for (auto& [key, traffic] : channels_) {
    std::erase_if(traffic.sends, [&](const PostedSend& send) { return send.mailbox == &mailbox; });
    std::erase_if(traffic.recvs, [&](const ReceivePtr& receive) { return receive->mailbox == &mailbox; });
    std::erase_if(traffic.opened, [&](const ReceivePtr& receive) { return receive->mailbox == &mailbox; });
  }
  std::erase_if(transfers_, [&](const MatchedMessage& transfer) {
    return transfer.send.mailbox == &mailbox || transfer.recv->mailbox == &mailbox;
  });
  std::erase_if(arrivals_, [&](const Arrival& arrival) { return arrival.mailbox == &mailbox; });
  mailbox.tokens.clear();
}

void MemoryPort::send(Token token, const Message& message) {
  network_.post_send({rank_, message.peer, run_, message.channel}, {&mailbox_, token, message.data, message.bytes});
}

void MemoryPort::recv(Token token, const Message& message) {
  (void)network_.post_recv(key_from(message.peer, message.channel),
                           {.mailbox = &mailbox_, .token = token, .data = message.data, .bytes = message.bytes});
}

std::span<const Token> MemoryPort::poll() {
  network_.poll(mailbox_, polled_);
  return polled_;
}

void MemoryPort::idle() { std::this_thread::yield(); }

void OpeningMemoryPort::open(const Reach&, std::vector<Opening> openings) { openings_ = std::move(openings); }

void OpeningMemoryPort::begin(std::uint64_t run, const RunMemory& memory) {
  MemoryPort::begin(run, memory);
  for (const Opening& opening : openings_) {
    std::byte* const base = opening.in_scratch ? memory.scratch : memory.output;
    for (const auto& [offset, bytes] : opening.landings) {
      network_.open(key_from(opening.peer, opening.channel),
                    {.mailbox = &mailbox_, .token = {}, .data = base + offset, .bytes = bytes});
    }
  }
}

void LendingMemoryPort::reserve(std::size_t tokens) {
  MemoryPort::reserve(tokens);
  receives_.resize(tokens);
}

void LendingMemoryPort::recv(Token token, const Message& message) {
  receives_[token] = network_.post_recv(key_from(message.peer, message.channel), {.mailbox = &mailbox_,
                                                                                  .token = token,
                                                                                  .data = message.data,
                                                                                  .bytes = message.bytes,
                                                                                  .may_stay = message.may_stay});
}

const std::byte* LendingMemoryPort::lies_at(Token token) { return receives_[token]->lent.data(); }
void LendingMemoryPort::release(Token token) { receives_[token].reset(); }

}  // namespace espalier
