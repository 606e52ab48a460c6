// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/shm_node.hpp"

#include <unistd.h>

#include <algorithm>
#include <random>

namespace espalier {

namespace {

constexpr std::size_t page_bytes = 4096;

// What a process says of itself, and whether it sleeps, each in a line of its own.
struct Introduction {
  alignas(cache_line_bytes) std::uint64_t pid;
  std::uint64_t proof_at, proof;
  alignas(cache_line_bytes) std::byte sleep_line[SleepWord::bytes];
};

std::size_t introduction_bytes(int processes) {
  const std::size_t bytes = static_cast<std::size_t>(processes) * sizeof(Introduction);
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

// On nodes of many ranks each pair gets less: what all of them together could take stays bounded.
std::size_t stream_bytes(int processes) {
  constexpr std::size_t of_all = std::size_t{256} << 20, least = 8 << 10, most = 64 << 10;
  const auto pairs = static_cast<std::size_t>(processes) * static_cast<std::size_t>(processes);
  return std::clamp(of_all / pairs / page_bytes * page_bytes, least, most);
}

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

// Streams stand by their readers, who poll them.
std::byte* stream_between(const ShmNode::NodePlace& place, int from, int to) {
  const auto number =
      static_cast<std::size_t>(to) * static_cast<std::size_t>(place.processes) + static_cast<std::size_t>(from);
  return place.base + introduction_bytes(place.processes) + number * stream_bytes(place.processes);
}

// Behind all streams.
SpareArea spares_of(const ShmNode::NodePlace& place, int process) {
  const std::size_t number = static_cast<std::size_t>(process) * place.spare_rings;
  return {.base = place.base + ShmNode::bytes_for(place.processes, 0) + number * SpareArea::ring_bytes,
          .rings = place.spare_rings};
}

Introduction& introduction_of(const ShmNode::NodePlace& place, int process) {
  return reinterpret_cast<Introduction*>(place.base)[process];
}

}  // namespace

std::size_t ShmNode::bytes_for(int processes, std::uint32_t spare_rings) {
  const auto all = static_cast<std::size_t>(processes);
  return introduction_bytes(processes) + all * all * stream_bytes(processes) +
         all * spare_rings * SpareArea::ring_bytes;
}

StreamSize ShmNode::stream_size(int processes) { return stream_size_within(stream_bytes(processes)); }

ShmNode::ShmNode(const NodePlace& place)
    : place_(place),
      proof_(std::make_unique<std::uint64_t>(random_number())),
      sleep_(introduction_of(place, place.me).sleep_line),
      spares_(spares_of(place, place.me)) {
  Introduction& mine = introduction_of(place_, place_.me);
  mine.pid = static_cast<std::uint64_t>(getpid());
  mine.proof_at = reinterpret_cast<std::uintptr_t>(proof_.get());
  mine.proof = *proof_;
}

ShmNode::~ShmNode() = default;

void ShmNode::meet(const ShmPeer::ShmLimits& limits) {
  const StreamSize size = stream_size(place_.processes);
  for (int process = 0; process < place_.processes; ++process) {
    Introduction& other = introduction_of(place_, process);
    const OtherProcess memory(static_cast<pid_t>(other.pid), other.proof_at, other.proof);
    const ShmPeer::ShmLink link{
        .to = StreamWriter(stream_between(place_, place_.me, process), size, &spares_),
        .from = StreamReader(stream_between(place_, process, place_.me), size, spares_of(place_, process)),
        .memory = memory,
        .sleep = SleepWord(other.sleep_line)};
    peers_.push_back(std::make_unique<ShmPeer>(link, limits));
    is_readable_.push_back(memory.is_readable() ? 1 : 0);
  }
  is_noted_.resize(peers_.size());
  busy_.reserve(peers_.size());
}

bool ShmNode::make_progress() {
  bool has_moved = false;
  for (std::size_t k = 0; k < busy_.size();) {
    ShmPeer& one = peer(busy_[k]);
    has_moved = one.make_progress() || has_moved;
    if (one.is_busy()) {
      ++k;
      continue;
    }
    is_noted_[static_cast<std::size_t>(busy_[k])] = 0;
    busy_[k] = busy_.back();
    busy_.pop_back();
  }
  return has_moved;
}

void ShmNode::forget(const Completions& whose) {
  for (const auto& one : peers_) one->forget(whose);
}

}  // namespace espalier
