// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/pair_fabric.hpp"

#include <mutex>
#include <new>

#include "mpi/job/nics.hpp"
#include "transport/fabric/fabric.hpp"

namespace espalier {

namespace {

class RealPairFabric final : public PairFabric {
 public:
  explicit RealPairFabric(Fabric& fabric) : fabric_(fabric) {}

  [[nodiscard]] int lanes_to(Rank in_world) const override { return fabric_.lanes_to(in_world); }
  [[nodiscard]] halo::Engines nics() const override { return nics_of(fabric_); }
  [[nodiscard]] std::chrono::duration<double> timeout() const override { return fabric_.options().lane_timeout; }
  [[nodiscard]] Clock::time_point now() const noexcept override { return std::chrono::steady_clock::now(); }
  void send(Rank in_world, const FabricWord& word) noexcept override try {
    const std::unique_lock guard(fabric_.lock(), std::try_to_lock);
    if (guard.owns_lock()) fabric_.send_word(in_world, word);
  } catch (const std::bad_alloc&) {
  }

 private:
  Fabric& fabric_;
};

}  // namespace

std::unique_ptr<PairFabric> make_pair_fabric(Fabric& fabric) { return std::make_unique<RealPairFabric>(fabric); }

}  // namespace espalier
