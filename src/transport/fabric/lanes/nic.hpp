// SPDX-License-Identifier: Apache-2.0
// The network interfaces of this host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

struct FabricNic {
  std::string name;     // "eth0"; or a domain of libfabric, where no interface has that name
  std::string address;  // "192.0.2.1"; empty: of a domain
  double rate = 1;      // in each direction, in any measure that all NICs of a host have in common
};

// Those named in `wanted` ("e0,e1"), in that order; none: all that are up and have an IPv4 address, but not the
// loopback and those of containers on this host. Throws NoFabric (no_fabric.hpp) for a name that is there twice.
[[nodiscard]] std::vector<FabricNic> find_nics(std::string_view wanted);
// The interface by which processes of one host reach each other.
[[nodiscard]] std::vector<FabricNic> loopback_nic();

// False once it is known that nothing can leave through it: it is down, or its cable is out.
[[nodiscard]] bool has_carrier(const FabricNic& nic);

}  // namespace espalier
