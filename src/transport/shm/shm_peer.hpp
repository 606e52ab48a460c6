// SPDX-License-Identifier: Apache-2.0
// Another process of the node, and all messages between the two.
//
//   short    the sender writes it as one frame, and is through
//   long     the sender announces it. Its receiver reads it in the sender's memory, where the system allows that and it
//            is faster; or asks for pieces, which the sender writes as fast as the receiver takes them
//
// What arrives before its receive was posted is set aside in this process's own memory, if it is short; so no message
// ever waits for the receive of another one.
#pragma once

#include <deque>
#include <vector>

#include "transport/shm/completions.hpp"
#include "transport/shm/other_process.hpp"
#include "transport/shm/sleep_word.hpp"
#include "transport/shm/stream.hpp"
#include "transport/shm/transfers.hpp"

namespace espalier {

class ShmPeer {
 public:
  struct ShmLimits {
    std::size_t short_bytes = 8 << 10;   // the longest message that is a single frame, if a frame takes that much
    std::size_t piece_bytes = 16 << 10;  // likewise
    std::size_t read_bytes = 128 << 10;  // the shortest one that is read in the sender's memory
  };

  // What leads to the other process, and comes from there.
  struct ShmLink {
    StreamWriter to;
    StreamReader from;
    OtherProcess memory;
    SleepWord sleep;
  };

  ShmPeer(const ShmLink& link, const ShmLimits& limits);
  ShmPeer(const ShmPeer&) = delete;
  ShmPeer& operator=(const ShmPeer&) = delete;

  // `whose` is told when it is over; until then it and the data stay, or forget() is called. Where memory is missing,
  // its run fails.
  void send(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose, Token token);
  void receive(const MessageKey& key, std::byte* data, std::size_t bytes, Completions& whose, Token token);
  // Nothing of it is under way any more: its receives take nothing, and nothing is read in its messages.
  void forget(const Completions& whose);

  // While a receive of that run waits: another run of its context of which something has arrived here; the process
  // sends its messages in order, so it is through with the first one.
  [[nodiscard]] std::optional<std::uint64_t> run_past(std::uint32_t context, std::uint64_t run) const;

  // Takes what has arrived, as far as anybody waits for something, and writes what there is room for. True if there
  // was anything.
  bool make_progress();
  // Whether make_progress() may have something to do.
  [[nodiscard]] bool is_busy() const {
    return !posted_.empty() || !waiting_.empty() || !outgoing_.empty() || !incoming_.empty();
  }

 private:
  struct WaitingFrame {
    ShmFrame frame;
    const std::byte* payload = nullptr;
    Completions* whose = nullptr;  // of a message, and of what says that one was read: it is over when that is written
    Token token = 0;
  };
  struct PostedReceive {
    MessageKey key;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    Completions* whose = nullptr;
    Token token = 0;
  };
  struct OutgoingTransfer {
    const std::byte* data = nullptr;
    std::size_t bytes = 0, written = 0;
    TransferName answer = 0;  // not 0: it goes in pieces
    Completions* whose = nullptr;
    Token token = 0;
  };
  struct IncomingTransfer {
    PostedReceive into;
    std::size_t bytes = 0, read = 0;
  };
  struct EarlyFrame {
    ShmFrame frame;
    std::vector<std::byte> payload;
  };

  void begin_sending(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose, Token token);
  void begin_receiving(const PostedReceive& posted);
  void announce(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose, Token token);
  void write_or_wait(const WaitingFrame& one);
  [[nodiscard]] bool write(const WaitingFrame& one);
  bool write_waiting();
  bool write_pieces();
  [[nodiscard]] bool write_piece(OutgoingTransfer& transfer);
  void end_outgoing(TransferName name);

  bool take_frame();
  [[nodiscard]] bool take_in(const ShmFrame& frame, const std::byte* payload);
  [[nodiscard]] bool match(const ShmFrame& frame, const std::byte* payload);
  [[nodiscard]] bool set_aside(const ShmFrame& frame, const std::byte* payload);
  void deliver(const PostedReceive& to, const ShmFrame& frame, const std::byte* payload);
  [[nodiscard]] bool has_been_read(const PostedReceive& to, const ShmFrame& frame);
  void ask_for_pieces(const PostedReceive& to, const ShmFrame& frame);
  void take_piece(const ShmFrame& frame, const std::byte* payload);
  void fail_all(ShmError error);

  StreamWriter to_;
  StreamReader from_;
  const OtherProcess memory_;
  const SleepWord sleep_;
  const ShmLimits limits_;
  std::vector<PostedReceive> posted_;  // in order
  std::deque<WaitingFrame> waiting_;   // in order: there was no room
  std::vector<EarlyFrame> early_;      // in order: there was no receive
  Transfers<OutgoingTransfer> outgoing_;
  Transfers<IncomingTransfer> incoming_;
  std::vector<TransferName> in_pieces_;  // of the outgoing ones
};

}  // namespace espalier
