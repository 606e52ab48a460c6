// SPDX-License-Identifier: Apache-2.0
// A link by an endpoint of libfabric's.
#pragma once

#include "transport/fabric/lanes/lane.hpp"
#include "transport/fabric/lanes/unguessable.hpp"
#include "transport/fabric/protocol/link.hpp"

namespace espalier {

class EndpointLink final : public Link {
 public:
  // `keys`: for memory that must be registered. Throws NoFabric.
  EndpointLink(Lane& lane, Unguessable& keys, Peer& peer, std::size_t max_bytes_under_way)
      : EndpointLink(lane, lane.open_endpoint(), keys, peer, max_bytes_under_way) {}

  [[nodiscard]] Pulse pulse() const override;
  [[nodiscard]] bool has_carrier() const override;
  [[nodiscard]] bool end_connections() override;

 private:
  EndpointLink(Lane& lane, Fid<fid_ep> endpoint, Unguessable& keys, Peer& peer, std::size_t max_bytes_under_way)
      : Link(lane, peer, lane.name_of(*endpoint), max_bytes_under_way),
        nic_(lane),
        keys_(keys),
        endpoint_(std::move(endpoint)) {}

  [[nodiscard]] bool join(const EndpointName& remote) override;
  [[nodiscard]] PostResult post_write(Write& write, const FabricRun& run, const FabricPiece& piece,
                                      const WriteTarget& target) override;
  [[nodiscard]] PostResult post_send(RecordMessage& message, std::size_t bytes) override;
  void post_receive(RecordMessage& message) override;
  void note_message_memory(void* memory, std::size_t bytes) override;
  void admit_no_more() override;
  void close_endpoint() override;

  Lane& nic_;
  Unguessable& keys_;
  Fid<fid_ep> endpoint_;
  fi_addr_t address_ = FI_ADDR_NOTAVAIL;
  Fid<fid_mr> message_memory_;  // where memory that is read or received in must be registered
};

}  // namespace espalier
