// SPDX-License-Identifier: Apache-2.0
// All ranks in one process: a network that is as unkind as the rules allow. No message is buffered; once both sides
// have posted it, its bytes move at some random later time, and then the two sides learn of it at two more random
// times. So anyone who touches a buffer too early is caught, and a test can replay any order by its seed.
//
// Works with all ranks in one thread (poll() never blocks) and with a thread for each of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "transport/port.hpp"

namespace espalier {

class MemoryNetwork {
 public:
  using Seed = std::uint64_t;

  // `patience`: a rank that waits for so long while nothing at all happens aborts: that is a deadlock.
  explicit MemoryNetwork(Seed seed, std::chrono::milliseconds patience = std::chrono::seconds(60));

  [[nodiscard]] Seed seed() const { return seed_; }

  // What went wrong first; empty if nothing did. It stops all ranks.
  [[nodiscard]] std::string error() const;

  // Messages that were posted by one side only, as text. For reports of a deadlock.
  [[nodiscard]] std::string unmatched() const;

  // True if nothing can happen any more unless somebody posts a message or takes what has arrived.
  [[nodiscard]] bool idle() const;

  // Messages that landed before their receive was posted, and messages that were read in the network's memory.
  [[nodiscard]] int landed_early() const { return landed_early_; }
  [[nodiscard]] int lent() const { return lent_; }

 private:
  friend class MemoryPort;
  friend class OpeningMemoryPort;
  friend class LendingMemoryPort;

  // Where one port learns of what has completed.
  struct Mailbox {
    Rank rank = no_rank;
    std::vector<Token> tokens;
    std::condition_variable changed;
  };
  struct PostedSend {
    Mailbox* mailbox = nullptr;
    Token token = 0;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  struct Receive {
    Mailbox* mailbox = nullptr;
    std::optional<Token> token;  // nothing: its channel was opened, and nobody has asked for it yet
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    bool may_stay = false;
    bool has_landed = false;
    std::vector<std::byte> lent;  // if it stayed: the network's own memory
  };
  using ReceivePtr = std::shared_ptr<Receive>;
  struct ChannelQueues {            // of one channel
    std::deque<PostedSend> sends;   // without a receive
    std::deque<ReceivePtr> recvs;   // without a send
    std::deque<ReceivePtr> opened;  // nobody has asked for yet
  };
  struct MatchedMessage {
    PostedSend send;
    ReceivePtr recv;
  };
  struct Arrival {
    Mailbox* mailbox = nullptr;
    Token token = 0;
  };
  using ChannelKey = std::tuple<Rank, Rank, std::uint64_t, Channel>;  // sender, receiver, run
  using MutexLock = std::unique_lock<std::mutex>;

  [[nodiscard]] Mailbox& add_mailbox(Rank rank);
  void post_send(const ChannelKey& key, const PostedSend& send);
  ReceivePtr post_recv(const ChannelKey& key, const Receive& receive);
  void open(const ChannelKey& key, const Receive& receive);
  [[nodiscard]] bool test(Mailbox& mailbox, Token token);
  void wait(Mailbox& mailbox, Token token);
  void poll(Mailbox& mailbox, std::vector<Token>& tokens);
  void forget(Mailbox& mailbox);
  [[nodiscard]] bool failed() const;

  // The following want the lock held.
  void match(const ChannelKey& key, ChannelQueues& traffic);
  [[nodiscard]] ReceivePtr ask_for_next(const ChannelKey& key, ChannelQueues& traffic, const Receive& asked);
  [[nodiscard]] bool advance();
  void move_bytes(const MatchedMessage& transfer);
  [[nodiscard]] bool take(Mailbox& mailbox, Token token);
  void arrive(Mailbox& mailbox, Token token);
  void fail(std::string error);
  [[nodiscard]] std::size_t below(std::size_t count);
  void note_activity() { last_activity_ = std::chrono::steady_clock::now(); }

  const Seed seed_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::map<ChannelKey, ChannelQueues> channels_;
  std::vector<MatchedMessage> transfers_;  // matched, bytes not yet moved
  std::vector<Arrival> arrivals_;          // bytes moved, this side has not learnt of it
  std::deque<Mailbox> mailboxes_;
  std::chrono::steady_clock::time_point last_activity_;
  std::string error_;
  int landed_early_ = 0, lent_ = 0;
};

// One rank's port to the network.
class MemoryPort {
 public:
  MemoryPort(MemoryNetwork& network, Rank rank) : network_(network), rank_(rank), mailbox_(network.add_mailbox(rank)) {}

  void reserve(std::size_t tokens) { polled_.reserve(tokens); }
  void begin(std::uint64_t run, const RunMemory&) { run_ = run; }
  void send(Token token, const Message& message);
  void recv(Token token, const Message& message);
  [[nodiscard]] bool test(Token token) { return network_.test(mailbox_, token); }
  void wait(Token token) { network_.wait(mailbox_, token); }
  [[nodiscard]] std::span<const Token> poll();
  void idle();
  [[nodiscard]] bool failed() const { return network_.failed(); }
  // What it was is the network's to say.
  [[nodiscard]] int take_error() const { return failed() ? 1 : 0; }
  void end() {}
  void abandon() { network_.forget(mailbox_); }

 protected:
  [[nodiscard]] MemoryNetwork::ChannelKey key_from(Rank peer, Channel channel) const {
    return {peer, rank_, run_, channel};
  }

  MemoryNetwork& network_;
  const Rank rank_;
  MemoryNetwork::Mailbox& mailbox_;
  std::uint64_t run_ = 0;

 private:
  std::vector<Token> polled_;
};

// The same where senders write into opened memory without waiting for a receive.
class OpeningMemoryPort : public MemoryPort {
 public:
  using MemoryPort::MemoryPort;
  void open(const Reach& reach, std::vector<Opening> openings);
  void begin(std::uint64_t run, const RunMemory& memory);

 private:
  std::vector<Opening> openings_;
};

// The same where messages can be read in the network's own memory.
class LendingMemoryPort : public MemoryPort {
 public:
  using MemoryPort::MemoryPort;
  void reserve(std::size_t tokens);
  void recv(Token token, const Message& message);
  [[nodiscard]] const std::byte* lies_at(Token token);
  void release(Token token);

 private:
  std::vector<MemoryNetwork::ReceivePtr> receives_;  // that may stay, by token
};

static_assert(Port<MemoryPort>);
static_assert(OpeningPort<OpeningMemoryPort>);
static_assert(LendingPort<LendingMemoryPort>);

}  // namespace espalier
