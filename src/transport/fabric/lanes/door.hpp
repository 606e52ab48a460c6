// SPDX-License-Identifier: Apache-2.0
// Where all processes of the job can reach this one by one lane, to greet it. Whoever uses it holds the fabric's lock.
#pragma once

#include <deque>

#include "transport/fabric/lanes/lane.hpp"

namespace espalier {

class Door;
class Peer;

struct Letter : Work {
  Door* door = nullptr;
  Peer* to = nullptr;  // of one that is under way
  Greeting::Kind kind_of_greeting = Greeting::Kind::hello;
  SealedGreeting sealed;
};

class Door {
 public:
  // Throws NoFabric.
  Door(const Lane& lane, Rank me);
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  [[nodiscard]] const Lane& lane() const { return lane_; }
  [[nodiscard]] EndpointName name() const { return lane_.name_of(*endpoint_); }

  // False: not now. `number`: of no other greeting to that process.
  [[nodiscard]] bool send(const Greeting& greeting, const Seal& seal, std::uint64_t number, fi_addr_t address,
                          Peer& to);
  void finish(Letter& sent) { sent.to = nullptr; }
  void receive(Letter& letter);

 private:
  static constexpr std::size_t received_at_once = 16;

  const Lane& lane_;
  const Rank me_;
  std::deque<Letter> sent_;  // each stays where it is
  std::array<Letter, received_at_once> received_;
  Fid<fid_ep> endpoint_;  // goes first
};

}  // namespace espalier
