// SPDX-License-Identifier: Apache-2.0
// The route to one other process by libfabric: over the lanes of the fabric, and to that process's listeners.
#pragma once

#include <array>

#include "transport/fabric/lanes/lane.hpp"
#include "transport/fabric/protocol/gateway.hpp"

namespace espalier {

class Fabric;

class FabricGateway final : public Gateway {
 public:
  // `record`: the other process's.
  FabricGateway(Fabric& fabric, Rank rank, const AddressRecord& record);

  [[nodiscard]] Clock::time_point now() const override { return Clock::now(); }
  [[nodiscard]] std::unique_ptr<Link> open_link(int lane, Peer& peer, std::size_t max_bytes_under_way) override;
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> anchor(int lane) const override;
  void drain() override;
  void keep_for_a_while(std::vector<std::unique_ptr<Link>> links) override;
  [[nodiscard]] bool shake_hands(int lane, const Handshake& handshake, Peer& from) override;
  [[nodiscard]] Pulse pulse_of_listener(int lane) const override;
  [[nodiscard]] bool has_carrier(int lane) const override;
  [[nodiscard]] bool are_descriptors_used_up() const override;
  void note_epoch() override;
  void receive_word(const FabricWord& word) override;

 private:
  [[nodiscard]] Lane& lane(int number) const;

  Fabric& fabric_;
  const Rank rank_;
  const std::array<EndpointName, max_lanes> listeners_;
  std::array<fi_addr_t, max_lanes> listener_addresses_;
  const Seal seal_;
  std::uint64_t handshakes_sent_ = 0;
};

}  // namespace espalier
