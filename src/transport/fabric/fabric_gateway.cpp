// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/fabric_gateway.hpp"

#include <new>

#include "transport/fabric/endpoint_link.hpp"
#include "transport/fabric/fabric.hpp"
#include "transport/fabric/lanes/descriptors.hpp"
#include "transport/fabric/lanes/listener.hpp"
#include "transport/fabric/lanes/tcp_connections.hpp"

namespace espalier {

FabricGateway::FabricGateway(Fabric& fabric, Rank rank, const AddressRecord& address_record)
    : fabric_(fabric),
      rank_(rank),
      listeners_(address_record.listeners),
      seal_(fabric.secret(), fabric.options().me, rank, 0) {
  listener_addresses_.fill(FI_ADDR_NOTAVAIL);
}

Lane& FabricGateway::lane(int number) const { return *fabric_.lanes()[static_cast<std::size_t>(number)]; }

std::unique_ptr<Link> FabricGateway::open_link(int number, Peer& peer, std::size_t max_bytes_under_way) try {
  return std::make_unique<EndpointLink>(lane(number), fabric_.unguessable(), peer, max_bytes_under_way);
} catch (const NoFabric&) {
  return nullptr;
}

std::pair<std::uint64_t, std::uint64_t> FabricGateway::anchor(int lane) const { return fabric_.anchor(lane); }

void FabricGateway::drain() { fabric_.drain(); }

void FabricGateway::keep_for_a_while(std::vector<std::unique_ptr<Link>> links) {
  fabric_.keep_for_a_while(std::move(links));
}

bool FabricGateway::shake_hands(int number, const Handshake& handshake, Peer& from) {
  const auto place = static_cast<std::size_t>(number);
  fi_addr_t& address = listener_addresses_[place];
  if (address == FI_ADDR_NOTAVAIL) {
    address = lane(number).insert(listeners_[place]);
    if (address == FI_ADDR_NOTAVAIL) throw std::bad_alloc();
  }
  return fabric_.listener(number).send(handshake, seal_, ++handshakes_sent_, address, from);
}

Pulse FabricGateway::pulse_of_listener(int lane) const {
  return pulse_between(fabric_.listener(lane).name(), listeners_[static_cast<std::size_t>(lane)]);
}

bool FabricGateway::has_carrier(int number) const { return espalier::has_carrier(lane(number).nic()); }

bool FabricGateway::are_descriptors_used_up() const { return espalier::are_descriptors_used_up(); }

void FabricGateway::note_epoch() { ++fabric_.epochs; }

void FabricGateway::receive_word(const FabricWord& word) { fabric_.receive_word(rank_, word); }

}  // namespace espalier
