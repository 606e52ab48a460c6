// SPDX-License-Identifier: Apache-2.0
#include "engine/openings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace espalier {

namespace {

// For each operation, whether it has to wait for something that this rank does first, be it because it is posted after
// another that has to.
std::vector<char> find_waiting(const Schedule& schedule) {
  std::vector<char> waits(schedule.operations.size());
  for (bool changed = true; std::exchange(changed, false);) {
    for (std::size_t k = 0; k < waits.size(); ++k) {
      const bool now = std::ranges::any_of(schedule.dependencies_of(schedule.operations[k]), [&](const Dependency& on) {
        return !on.is_of_posting() || waits[on.operation] != 0;
      });
      changed = changed || (now && waits[k] == 0);
      waits[k] = now ? 1 : 0;
    }
  }
  return waits;
}

bool is_in_ring(const Schedule& schedule, const Region& region) {
  return region.buffer == Buffer::scratch &&
         schedule.areas[static_cast<std::size_t>(region.area)].kind == Area::Kind::ring;
}

using Channels = std::map<std::pair<Rank, Channel>, Opening>;

void add_messages(const Schedule& schedule, const Layout& layout, std::size_t stride_bytes, std::uint32_t number,
                  Channels& channels) {
  const Operation& operation = schedule.operations[number];
  for (int item = 0; item < layout.items().count(number); ++item) {
    const Rank peer = operation.peer(layout.block_of(number, item));
    const Extent extent = layout.extent(number, operation.target, item);
    Opening& opening = channels[{peer, operation.channel}];
    opening.peer = peer;
    opening.channel = operation.channel;
    opening.path = operation.path;
    opening.in_scratch = operation.target.buffer == Buffer::scratch;
    opening.landings.push_back({extent.offset * stride_bytes, extent.length * stride_bytes});
  }
}

std::vector<std::pair<Rank, Channel>> channels_of(const Schedule& schedule, const Layout& layout,
                                                  std::uint32_t number) {
  std::vector<std::pair<Rank, Channel>> channels;
  const Operation& operation = schedule.operations[number];
  for (int item = 0; item < layout.items().count(number); ++item) {
    channels.emplace_back(operation.peer(layout.block_of(number, item)), operation.channel);
  }
  return channels;
}

}  // namespace

Reach find_reach(const Schedule& schedule, const Layout& layout, std::size_t stride_bytes) {
  Reach reach{.input = 0, .output = 0, .scratch = layout.scratch_elements() * stride_bytes};
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Region& region = schedule.operations[k].walked();
    if (!schedule.operations[k].communicates() || region.buffer == Buffer::scratch) continue;
    std::size_t& bytes = region.buffer == Buffer::input ? reach.input : reach.output;
    for (int item = 0; item < layout.items().count(k); ++item) {
      const Extent extent = layout.extent(k, region, item);
      bytes = std::max(bytes, (extent.offset + extent.length) * stride_bytes);
    }
  }
  return reach;
}

// A channel is open for all its messages or for none.
std::vector<Opening> find_openings(const Schedule& schedule, const Layout& layout, std::size_t stride_bytes) {
  const std::vector<char> waits = find_waiting(schedule);
  Channels open;
  std::map<std::pair<Rank, Channel>, Buffer> target_of;
  std::set<std::pair<Rank, Channel>> closed;
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    if (operation.kind != Operation::Kind::recv) continue;
    const bool stays_closed = waits[k] != 0 || operation.is_signal() || is_in_ring(schedule, operation.target);
    for (const auto& channel : channels_of(schedule, layout, k)) {
      const Buffer buffer = target_of.try_emplace(channel, operation.target.buffer).first->second;
      if (stays_closed || buffer != operation.target.buffer) closed.insert(channel);
    }
    add_messages(schedule, layout, stride_bytes, k, open);
  }
  for (const auto& channel : closed) open.erase(channel);
  std::vector<Opening> openings;
  for (auto& [channel, opening] : open) openings.push_back(std::move(opening));
  return openings;
}

}  // namespace espalier
