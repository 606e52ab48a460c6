// SPDX-License-Identifier: Apache-2.0
// The two ends of a stream: all messages of one run from one rank to another on one channel, first to last.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "transport/fabric/protocol/fabric_run.hpp"
#include "transport/fabric/wire/pieces.hpp"
#include "transport/port.hpp"

namespace espalier {

class Peer;

struct FabricPiece {
  std::uint64_t number = 0;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};

// A message that was posted and is not over.
struct PostedMessage {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::uint64_t first_piece = 0;
  Pieces pieces{0, 0};
  Token next = 0;  // after it

  [[nodiscard]] std::uint64_t end_piece() const { return first_piece + pieces.count; }
  [[nodiscard]] FabricPiece piece(std::uint64_t number) const {
    const std::size_t offset = (number - first_piece) * pieces.bytes;
    return {number, data + offset, std::min(pieces.bytes, bytes - offset)};
  }
};

// One end of a stream. Its messages are over in their order: each once all pieces up to its end are done.
class StreamEnd {
 public:
  static constexpr Token none = ~Token{0};
  using Messages = std::vector<PostedMessage>;  // by token, of one run

  StreamEnd(FabricRun& its_run, Messages& of_run, Peer& its_peer, Channel its_channel)
      : run(its_run), peer(its_peer), channel(its_channel), messages_(of_run) {}

  void post(Token token, const Message& message) {
    messages_[token] = {message.data, message.bytes, posted_pieces_, Pieces(message.bytes, path), none};
    (first_ == none ? first_ : messages_[last_].next) = token;
    last_ = token;
    posted_pieces_ = messages_[token].end_piece();
  }
  void note_done(std::uint64_t piece) {
    if (done.add(piece)) complete();
  }
  // Tells the run of each message that is over now.
  void complete() {
    while (first_ != none && messages_[first_].end_piece() <= done.count()) {
      const Token token = first_;
      first_ = messages_[token].next;
      run.note_over(token);
    }
  }
  [[nodiscard]] std::uint64_t posted_pieces() const { return posted_pieces_; }
  [[nodiscard]] bool is_over() const { return first_ == none; }

  FabricRun& run;
  Peer& peer;
  const Channel channel;
  Path path = 0;
  Prefix done;  // of the sender's: known to have arrived
  bool is_in_run = false;

 protected:
  void restart() {
    first_ = last_ = none;
    posted_pieces_ = 0;
    done.restart();
  }

  Messages& messages_;
  Token first_ = none, last_ = none;  // of those posted
  std::uint64_t posted_pieces_ = 0;
};

// Where a receiver expects a stream.
class Inlet : public StreamEnd {
 public:
  using StreamEnd::StreamEnd;

  void restart(std::byte* run_base) {
    StreamEnd::restart();
    base = run_base;
  }
  // Calls each(piece) for all pieces that may arrive.
  template <class Each>
  void for_each_granted(Each each) const {
    std::uint64_t next = 0;
    for (const Opening::Landing& landing : landings) {
      const PostedMessage message{base + landing.offset, landing.bytes, next, Pieces(landing.bytes, path)};
      for_each_piece(message, each);
      next = message.end_piece();
    }
    for (Token token = landings.empty() ? first_ : none; token != none; token = messages_[token].next) {
      for_each_piece(messages_[token], each);
    }
  }

  std::uint64_t number = 0;  // that pieces carry
  // Of an opened stream: where its messages land, from `base` on. All of them are granted from the beginning.
  std::span<const Opening::Landing> landings;
  std::byte* base = nullptr;

 private:
  template <class Each>
  static void for_each_piece(const PostedMessage& message, Each& each) {
    for (std::uint64_t number = message.first_piece; number < message.end_piece(); ++number)
      each(message.piece(number));
  }
};

// Memory of the receiver's to which pieces may be written.
struct Granted {
  std::uint64_t first_piece = 0, pieces = 0;
  std::uint64_t address = 0, bytes = 0;  // as a writer must say it
  std::array<std::uint64_t, max_lanes> keys{};
  std::uint64_t inlet = 0;
  bool has_bytes = false;
};

// Where a sender puts in a stream.
class Outlet : public StreamEnd {
 public:
  using StreamEnd::StreamEnd;

  void restart() {
    StreamEnd::restart();
    next_piece = 0;
    current_ = none;
    forget_grants();
    unacknowledged.clear();
  }
  void forget_grants() {
    granted.clear();
    next_granted = 0;
  }
  void post(Token token, const Message& message) {
    StreamEnd::post(token, message);
    if (current_ == none) current_ = token;
  }
  // The next piece to be written, if there is one.
  [[nodiscard]] bool has_next() const { return current_ != none; }
  [[nodiscard]] bool is_granted() const { return next_granted < granted.size(); }
  [[nodiscard]] std::size_t message_bytes() const { return messages_[current_].bytes; }  // of the next piece's
  [[nodiscard]] bool is_at_begin() const { return next_piece == messages_[current_].first_piece; }  // of a message
  [[nodiscard]] FabricPiece next() const { return messages_[current_].piece(next_piece); }
  void pass() {
    if (++next_piece == messages_[current_].end_piece()) current_ = messages_[current_].next;
  }

  std::uint64_t next_piece = 0;
  std::vector<Granted> granted;                           // in the order of their pieces
  std::size_t next_granted = 0;                           // those before are used up
  std::chrono::steady_clock::time_point in_line_since{};  // if its path is planned (turns.hpp)
  // Pieces whose epoch ended before they were known to have arrived: the receiver says whether they are to come again.
  std::vector<FabricPiece> unacknowledged;

 private:
  Token current_ = none;  // the message of the next piece
};

}  // namespace espalier
