// SPDX-License-Identifier: Apache-2.0
// What a peer asks of the network, and of the process that it is part of. None of it is asked for a single message.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/clock.hpp"
#include "transport/fabric/protocol/link.hpp"

namespace espalier {

class Gateway {
 public:
  virtual ~Gateway() = default;

  [[nodiscard]] virtual Clock::time_point now() const = 0;

  // Null: it cannot be opened.
  [[nodiscard]] virtual std::unique_ptr<Link> open_link(int lane, Peer& peer, std::size_t max_bytes_under_way) = 0;
  // Key and base of memory to which nothing is written, for pieces without bytes.
  [[nodiscard]] virtual std::pair<std::uint64_t, std::uint64_t> anchor(int lane) const = 0;
  // Takes in all that is over by now, of all peers.
  virtual void drain() = 0;
  // Links that were closed: the network may still speak of what belonged to them.
  virtual void keep_for_a_while(std::vector<std::unique_ptr<Link>> links) = 0;

  // To the other process's listener. False: not now. Peer::finish_handshake() follows if it was taken.
  [[nodiscard]] virtual bool shake_hands(int lane, const Handshake& handshake, Peer& from) = 0;
  // Of the connection to that listener.
  [[nodiscard]] virtual Pulse pulse_of_listener(int lane) const = 0;
  [[nodiscard]] virtual bool has_carrier(int lane) const = 0;
  [[nodiscard]] virtual bool are_descriptors_used_up() const = 0;

  // An epoch has begun.
  virtual void note_epoch() = 0;
  // What the other process says on a run.
  virtual void receive_word(const FabricWord& word) = 0;
};

}  // namespace espalier
