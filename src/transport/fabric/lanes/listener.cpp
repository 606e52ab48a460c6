// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/listener.hpp"

#include <rdma/fi_errno.h>

#include <algorithm>

namespace espalier {

Listener::Listener(const Lane& lane, Rank me) : lane_(lane), me_(me), endpoint_(lane.open_endpoint()) {
  for (HandshakeMessage& message : received_) {
    message.kind = Work::Kind::handshake_received;
    message.listener = this;
    receive(message);
  }
}

void Listener::receive(HandshakeMessage& message) {
  (void)fi_recv(endpoint_.get(), &message.sealed, sizeof message.sealed, nullptr, FI_ADDR_UNSPEC, &message.context);
}

bool Listener::send(const Handshake& handshake, const Seal& seal, std::uint64_t number, fi_addr_t address, Peer& to) {
  auto message = std::ranges::find(sent_, nullptr, &HandshakeMessage::to);
  if (message == sent_.end()) message = sent_.emplace(sent_.end());
  message->kind = Work::Kind::handshake_sent;
  message->listener = this;
  message->kind_of_handshake = handshake.kind;
  SealedHandshake& sealed = message->sealed;
  sealed.from = me_;
  sealed.handshake = handshake;
  sealed.head = seal.close(number, sealed.text(handshake.bytes()));
  const std::size_t bytes = offsetof(SealedHandshake, handshake) + handshake.bytes();
  if (fi_send(endpoint_.get(), &sealed, bytes, nullptr, address, &message->context) != FI_SUCCESS) return false;
  message->to = &to;
  return true;
}

}  // namespace espalier
