// SPDX-License-Identifier: Apache-2.0
// The NICs and the clock of a rank, as paired messages see them, played by a test.
#pragma once

#include <deque>
#include <functional>

#include "mpi/job/pair_fabric.hpp"

namespace espalier {

class FakePairFabric final : public PairFabric {
 public:
  using Seconds = std::chrono::duration<double>;

  [[nodiscard]] int lanes_to(Rank) const override { return lanes; }
  [[nodiscard]] halo::Engines nics() const override {
    if (has_no_memory) throw std::bad_alloc();
    return {.count = lanes, .rates = {}};
  }
  [[nodiscard]] Seconds timeout() const override { return its_timeout; }
  // Somebody who looks at it lets time pass.
  [[nodiscard]] Clock::time_point now() const noexcept override { return time += passes; }
  void send(Rank to, const FabricWord& word) noexcept override {
    sent.push_back({to, word});
    if (carry) carry(to, word);
  }

  struct Sent {
    Rank to = no_rank;
    FabricWord word;
  };
  int lanes = 2;
  bool has_no_memory = false;
  Seconds its_timeout{60};
  std::chrono::milliseconds passes{0};
  mutable Clock::time_point time{std::chrono::seconds(1000)};
  std::vector<Sent> sent;
  std::function<void(Rank to, const FabricWord& word)> carry;  // none: all words are lost
};

}  // namespace espalier
