// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/door.hpp"

#include <rdma/fi_errno.h>

#include <algorithm>

namespace espalier {

Door::Door(const Lane& lane, Rank me) : lane_(lane), me_(me), endpoint_(lane.open_endpoint()) {
  for (Letter& letter : received_) {
    letter.kind = Work::Kind::greeting_received;
    letter.door = this;
    receive(letter);
  }
}

void Door::receive(Letter& letter) {
  (void)fi_recv(endpoint_.get(), &letter.sealed, sizeof letter.sealed, nullptr, FI_ADDR_UNSPEC, &letter.context);
}

bool Door::send(const Greeting& greeting, const Seal& seal, std::uint64_t number, fi_addr_t address, Peer& to) {
  auto letter = std::ranges::find(sent_, nullptr, &Letter::to);
  if (letter == sent_.end()) letter = sent_.emplace(sent_.end());
  letter->kind = Work::Kind::greeting_sent;
  letter->door = this;
  letter->kind_of_greeting = greeting.kind;
  SealedGreeting& sealed = letter->sealed;
  sealed.from = me_;
  sealed.greeting = greeting;
  sealed.head = seal.close(number, sealed.text(greeting.bytes()));
  const std::size_t bytes = offsetof(SealedGreeting, greeting) + greeting.bytes();
  if (fi_send(endpoint_.get(), &sealed, bytes, nullptr, address, &letter->context) != FI_SUCCESS) return false;
  letter->to = &to;
  return true;
}

}  // namespace espalier
