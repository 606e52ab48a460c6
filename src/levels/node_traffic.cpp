// SPDX-License-Identifier: Apache-2.0
#include "levels/node_traffic.hpp"

#include <algorithm>

#include "transport/shm/stream.hpp"

namespace espalier {

namespace {

double seconds_of(double bytes, double bytes_per_second) { return bytes_per_second > 0 ? bytes / bytes_per_second : 0; }

bool fits_in_frame(double bytes) { return bytes <= static_cast<double>(shm::FrameLine::payload_bytes); }

}  // namespace

NodeTraffic::NodeTraffic(const NodeLevels& node, double spilled)
    : node_(node), spilled_(spilled), lines_(node.levels().size()) {
  for (std::size_t level = 0; level < node.levels().size(); ++level) {
    const std::vector<double> idle(static_cast<std::size_t>(node.groups(level)), 0.0);
    shared_.push_back({idle, idle, idle, idle});
  }
}

double NodeTraffic::serve(std::vector<double>& free, int group, double now, double seconds) {
  double& from = free[static_cast<std::size_t>(group)];
  return from = std::max(from, now) + seconds;
}

double NodeTraffic::seconds_with_memory(double bytes, double per_second, double memory_per_second) const {
  return bytes * ((1 - spilled_) / per_second + spilled_ / std::min(per_second, memory_per_second));
}

// Of the innermost group that has some of its own.
double NodeTraffic::use_memory(double now, double bytes, int core) {
  for (std::size_t level = 0; level < shared_.size(); ++level) {
    const double limit = node_.levels()[level].memory_bytes_per_second;
    if (limit > 0) return serve(shared_[level].memory, node_.group_of(level, core), now, spilled_ * bytes / limit);
  }
  return now;
}

// One byte is read and one is written.
double NodeTraffic::copy(double now, double bytes, int core) {
  const NodeCore& costs = node_.core();
  const double seconds = seconds_with_memory(bytes, costs.copy_bytes_per_second, costs.memory_copy_per_second);
  return std::max(now + seconds, use_memory(now, 2 * bytes, core));
}

// Two bytes are read and one is written.
double NodeTraffic::reduce(double now, double bytes, int core) {
  const NodeCore& costs = node_.core();
  const double seconds = seconds_with_memory(bytes, costs.reduce_bytes_per_second, costs.memory_reduce_per_second);
  return std::max(now + seconds, use_memory(now, 3 * bytes, core));
}

double NodeTraffic::fetch(double now, double bytes, int owner, int core, double most_per_second, bool goes_on) {
  const std::size_t meeting = node_.level_between(owner, core);
  const NodeLevel& level = node_.levels()[meeting];
  double end = now + (goes_on ? 0 : level.seconds) + bytes / std::min(level.copy_bytes_per_second, most_per_second);
  end = std::max(end, serve(shared_[meeting].between_parts, node_.group_of(meeting, core), now,
                            seconds_of(bytes, level.shared_bytes_per_second)));
  for (std::size_t k = 0; k < meeting; ++k) {
    const NodeLevel& passed = node_.levels()[k];
    end = std::max(
        end, serve(shared_[k].out_of, node_.group_of(k, owner), now, seconds_of(bytes, passed.out_bytes_per_second)));
    end = std::max(end,
                   serve(shared_[k].into, node_.group_of(k, core), now, seconds_of(bytes, passed.in_bytes_per_second)));
  }
  return std::max({end, use_memory(now, bytes, owner), use_memory(now, bytes, core)});
}

double NodeTraffic::write_stream(double now, double bytes, int core, int reader, bool goes_on) {
  if (fits_in_frame(bytes)) return now;
  const NodeLevel& level = node_.levels()[node_.level_between(core, reader)];
  return now + (goes_on ? 0 : level.seconds) + bytes / level.stream_bytes_per_second;
}

double NodeTraffic::read_stream(double now, double bytes, int writer, int core, bool goes_on) {
  if (fits_in_frame(bytes)) return now;
  const NodeLevel& level = node_.levels()[node_.level_between(writer, core)];
  return fetch(now, bytes, writer, core, level.stream_bytes_per_second, goes_on);
}

void NodeTraffic::count_frame(int writer, int reader, std::size_t payload_bytes) {
  count_lines(writer, reader, cache_line_bytes);
  if (!fits_in_frame(static_cast<double>(payload_bytes))) count_lines(writer, reader, payload_bytes);
}

void NodeTraffic::count_lines(int writer, int reader, std::size_t bytes) {
  lines_[node_.level_between(writer, reader)] += (bytes + cache_line_bytes - 1) / cache_line_bytes;
}

}  // namespace espalier
