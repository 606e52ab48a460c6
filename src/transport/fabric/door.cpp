// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/door.hpp"

#include <rdma/fi_errno.h>

#include <algorithm>

namespace espalier {

Door::Door(const Lane& lane) : lane_(lane), endpoint_(lane.open_endpoint()) {
  for (Letter& letter : received_) {
    letter.kind = Work::Kind::greeting_received;
    letter.door = this;
    receive(letter);
  }
}

void Door::receive(Letter& letter) {
  (void)fi_recv(endpoint_.get(), &letter.greeting, sizeof letter.greeting, nullptr, FI_ADDR_UNSPEC, &letter.context);
}

bool Door::send(const Greeting& greeting, fi_addr_t address, Peer& to) {
  auto letter = std::ranges::find(sent_, nullptr, &Letter::to);
  if (letter == sent_.end()) letter = sent_.emplace(sent_.end());
  letter->kind = Work::Kind::greeting_sent;
  letter->door = this;
  letter->greeting = greeting;
  if (fi_send(endpoint_.get(), &letter->greeting, greeting.bytes(), nullptr, address, &letter->context) != FI_SUCCESS) {
    return false;
  }
  letter->to = &to;
  return true;
}

}  // namespace espalier
