// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/registrations.hpp"

#include <algorithm>

#include "transport/fabric/lanes/lane.hpp"

namespace espalier {

RegisteredMemory Registrations::open_to_writes(const MemoryArea& area) { return registered(area, FI_REMOTE_WRITE); }

bool Registrations::wants_sources() const {
  return std::ranges::any_of(lanes_, [](const auto& lane) { return lane->registers_sources(); });
}

RegisteredMemory Registrations::register_source(const MemoryArea& area) {
  return registered(area, FI_WRITE | FI_SEND | FI_RECV);
}

RegisteredMemory Registrations::registered(const MemoryArea& area, std::uint64_t access) {
  if (++last_id_ == 0) ++last_id_;
  RegisteredMemory memory;
  memory.id = last_id_;
  memory.area = area;
  for (const auto& lane : lanes_) {
    const auto number = static_cast<std::size_t>(lane->number());
    memory.of_lane[number] = lane->register_memory(area.begin, area.bytes, access, keys_.next());
    memory.where.keys[number] = fi_mr_key(memory.of_lane[number].get());
  }
  if (!lanes_.empty()) memory.where.base = lanes_.front()->remote_base(area.begin);
  return memory;
}

}  // namespace espalier
