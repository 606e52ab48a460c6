// SPDX-License-Identifier: Apache-2.0
// All ranks in one process: a network that is as unkind as the rules allow. No message is buffered; once both sides
// have posted it, its bytes move at some random later moment, and then the two sides hear of it at two more random
// moments. So whoever touches a buffer too early is caught, and a test can replay any order by its seed.
//
// Works with all ranks in one thread (poll() never blocks) and with a thread for each of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "transport/transport.hpp"

namespace espalier {

class MemoryNetwork {
 public:
  using Seed = std::uint64_t;

  // `patience`: a rank that waits for so long while nothing at all happens gives up: that is a deadlock.
  MemoryNetwork(Rank ranks, Seed seed, std::chrono::milliseconds patience = std::chrono::seconds(60));

  [[nodiscard]] Rank ranks() const { return static_cast<Rank>(inboxes_.size()); }
  [[nodiscard]] Seed seed() const { return seed_; }

  // What went wrong first; empty if nothing did. It stops all ranks.
  [[nodiscard]] std::string error() const;

  // Messages that were posted by one side only, as text. For reports of a deadlock.
  [[nodiscard]] std::string unmatched() const;

  // True if nothing can happen any more unless somebody posts a message or takes what has arrived.
  [[nodiscard]] bool idle() const;

 private:
  friend class MemoryTransport;

  struct Side {
    Rank rank = no_rank;
    Token token = 0;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  struct Unmatched {  // of one channel
    std::deque<Side> sends, recvs;
  };
  struct Transfer {
    Side send, recv;
  };
  struct Arrival {
    Rank rank = no_rank;
    Token token = 0;
  };
  struct Inbox {
    std::vector<Token> tokens;
    std::condition_variable changed;
  };
  using Key = std::tuple<Rank, Rank, Channel>;  // sender, receiver
  using Lock = std::unique_lock<std::mutex>;

  void post_send(Rank to, Channel channel, const Side& side);
  void post_recv(Rank from, Channel channel, const Side& side);
  void match(const Key& key, Unmatched& waiting);
  void wait(Rank rank, Token token);
  void poll(Rank rank, std::vector<Token>& tokens);
  [[nodiscard]] bool failed() const;

  // The following want the lock held.
  [[nodiscard]] bool advance();
  void arrive(const Side& side);
  void fail(std::string error);
  [[nodiscard]] std::size_t below(std::size_t count);
  void note_activity() { last_activity_ = std::chrono::steady_clock::now(); }

  const Seed seed_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::map<Key, Unmatched> channels_;
  std::vector<Transfer> transfers_;  // matched, bytes not yet moved
  std::vector<Arrival> arrivals_;    // bytes moved, this side has not heard of it
  std::deque<Inbox> inboxes_;
  std::chrono::steady_clock::time_point last_activity_;
  std::string error_;
};

// One rank's access to the network.
class MemoryTransport {
 public:
  MemoryTransport(MemoryNetwork& network, Rank rank) : network_(network), rank_(rank) {}

  void reserve(std::size_t tokens);
  void send(Token token, const Message& message);
  void recv(Token token, const Message& message);
  void wait(Token token) { network_.wait(rank_, token); }
  [[nodiscard]] std::span<const Token> poll();
  [[nodiscard]] bool failed() const { return network_.failed(); }

 private:
  [[nodiscard]] MemoryNetwork::Side side(Token token, const Message& message) const;

  MemoryNetwork& network_;
  Rank rank_;
  std::vector<Token> polled_;
};

static_assert(Transport<MemoryTransport>);

}  // namespace espalier
