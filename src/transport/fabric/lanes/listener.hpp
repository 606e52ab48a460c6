// SPDX-License-Identifier: Apache-2.0
// Where all processes of the job can reach this one by one lane, for a handshake with it. A user of it holds the
// fabric's lock.
#pragma once

#include <deque>

#include "transport/fabric/lanes/lane.hpp"

namespace espalier {

class Listener;
class Peer;

struct HandshakeMessage : Work {
  Listener* listener = nullptr;
  Peer* to = nullptr;  // of one that is under way
  Handshake::Kind kind_of_handshake = Handshake::Kind::hello;
  SealedHandshake sealed;
};

class Listener {
 public:
  // Throws NoFabric.
  Listener(const Lane& lane, Rank me);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] const Lane& lane() const { return lane_; }
  [[nodiscard]] EndpointName name() const { return lane_.name_of(*endpoint_); }

  // False: not now. `number`: of no other handshake to that process.
  [[nodiscard]] bool send(const Handshake& handshake, const Seal& seal, std::uint64_t number, fi_addr_t address,
                          Peer& to);
  void finish(HandshakeMessage& sent) { sent.to = nullptr; }
  void receive(HandshakeMessage& message);

 private:
  static constexpr std::size_t received_at_once = 16;

  const Lane& lane_;
  const Rank me_;
  std::deque<HandshakeMessage> sent_;  // each stays where it is
  std::array<HandshakeMessage, received_at_once> received_;
  Fid<fid_ep> endpoint_;  // goes first
};

}  // namespace espalier
