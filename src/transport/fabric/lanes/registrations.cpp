// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/registrations.hpp"

namespace espalier {

RegisteredMemory Registrations::registered(const MemoryArea& area, std::uint64_t access) {
  if (++last_id_ == 0) ++last_id_;
  RegisteredMemory memory{.id = last_id_, .area = area, .of_lane = {}};
  for (const auto& lane : lanes_) {
    memory.of_lane[static_cast<std::size_t>(lane->number())] =
        lane->register_memory(area.begin, area.bytes, access, keys_.next());
  }
  return memory;
}

}  // namespace espalier
