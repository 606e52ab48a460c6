// SPDX-License-Identifier: Apache-2.0
// Another process of the node, and all messages between the two.
//
//   short    the sender writes it as one frame, and is through
//   long     the sender announces it, and both ends see to it when it is received (long_messages.hpp)
//
// What arrives before its receive was posted is set aside in this process's own memory, if it is short; so no message
// ever waits for the receive of another one.
#pragma once

#include <vector>

#include "transport/shm/long_messages.hpp"

namespace espalier {

class ShmPeer {
 public:
  struct ShmLimits {
    std::size_t short_bytes = 12 << 10;  // the longest message that is a single frame, if a frame takes that much
    LongMessages::LongLimits of_long;
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
  [[nodiscard]] bool is_busy() const { return !posted_.empty() || out_.is_full() || long_.is_busy(); }

 private:
  struct EarlyFrame {
    ShmFrame frame;
    std::vector<std::byte> payload;
  };

  void begin_sending(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose, Token token);
  void begin_receiving(const PostedReceive& posted);

  bool take_frame();
  [[nodiscard]] bool take_in(const ShmFrame& frame, const std::byte* payload);
  [[nodiscard]] bool match(const ShmFrame& frame, const std::byte* payload);
  [[nodiscard]] bool set_aside(const ShmFrame& frame, const std::byte* payload);
  void deliver(const PostedReceive& to, const ShmFrame& frame, const std::byte* payload);
  void fail_all(ShmError error);

  const std::size_t short_bytes_;
  FramesOut out_;
  StreamReader from_;
  LongMessages long_;
  std::vector<PostedReceive> posted_;  // in order
  std::vector<EarlyFrame> early_;      // in order: there was no receive
};

}  // namespace espalier
