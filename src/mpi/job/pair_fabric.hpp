// SPDX-License-Identifier: Apache-2.0
// What paired messages (mpi/pairs) ask of the network interfaces and of the clock, next to the messages themselves: a
// small interface, so that a test can play it. Nothing of it is asked for by a start that gets on.
#pragma once

#include <chrono>
#include <memory>

#include "core/clock.hpp"
#include "halo/exchange.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

class Fabric;  // transport/fabric

class PairFabric {
 public:
  PairFabric() = default;
  virtual ~PairFabric() = default;
  PairFabric(const PairFabric&) = delete;
  PairFabric& operator=(const PairFabric&) = delete;

  // By how many lanes this process and that rank of the world can reach each other.
  [[nodiscard]] virtual int lanes_to(Rank in_world) const = 0;
  // Of this process. Throws on allocation failure.
  [[nodiscard]] virtual halo::Engines nics() const = 0;
  // For so long the other end of a message may be missing.
  [[nodiscard]] virtual std::chrono::duration<double> timeout() const = 0;
  [[nodiscard]] virtual Clock::time_point now() const noexcept = 0;
  // It may be lost: if another thread is at the NICs, on allocation failure, or if a lane fails meanwhile.
  virtual void send(Rank in_world, const FabricWord& word) noexcept = 0;
};

// Throws on allocation failure. The fabric must outlive it.
[[nodiscard]] std::unique_ptr<PairFabric> make_pair_fabric(Fabric& fabric);

}  // namespace espalier
