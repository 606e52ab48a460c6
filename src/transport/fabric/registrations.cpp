// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/registrations.hpp"

#include <algorithm>

namespace espalier {

Registrations::Registrations(const std::vector<std::unique_ptr<Lane>>& lanes)
    : lanes_(lanes), keeps_(std::ranges::none_of(lanes, [](const auto& lane) { return lane->pins_memory(); })) {}

RegisteredMemory& Registrations::take(std::byte* begin, std::size_t bytes) {
  const auto found = std::ranges::find_if(
      kept_, [&](const RegisteredMemory& memory) { return memory.begin == begin && memory.bytes == bytes; });
  RegisteredMemory& memory = found != kept_.end() ? *found : registered(begin, bytes);
  ++memory.users;
  memory.last_taken = ++takes_;
  return memory;
}

RegisteredMemory& Registrations::registered(std::byte* begin, std::size_t bytes) {
  if (kept_.size() >= max_kept) drop_oldest();
  RegisteredMemory memory{.id = last_id_ + 1, .begin = begin, .bytes = bytes, .of_lane = {}};
  for (const auto& lane : lanes_) {
    memory.of_lane[static_cast<std::size_t>(lane->number())] = lane->expose(begin, bytes, memory.id);
  }
  ++last_id_;
  return kept_.emplace_back(std::move(memory));
}

void Registrations::give_back(RegisteredMemory& memory) {
  if (--memory.users > 0 || keeps_) return;
  kept_.remove_if([&](const RegisteredMemory& one) { return &one == &memory; });
}

// Of those that nobody uses.
void Registrations::drop_oldest() {
  auto oldest = kept_.end();
  for (auto one = kept_.begin(); one != kept_.end(); ++one) {
    const bool is_older = oldest == kept_.end() || one->last_taken < oldest->last_taken;
    if (one->users == 0 && is_older) oldest = one;
  }
  if (oldest != kept_.end()) kept_.erase(oldest);
}

}  // namespace espalier
