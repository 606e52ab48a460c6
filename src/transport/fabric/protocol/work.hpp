// SPDX-License-Identifier: Apache-2.0
// Something that was given to a NIC to do. Stays where it is until it is over.
#pragma once

#include <array>
#include <cstdint>

namespace espalier {

struct Work {
  enum class Kind : std::uint8_t { write, record_sent, records_received, handshake_sent, handshake_received };
  std::array<void*, 8> context{};  // libfabric's own (fi_context2); first, so that the work is found again by it
  Kind kind = Kind::write;
};

}  // namespace espalier
