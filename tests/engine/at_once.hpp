// SPDX-License-Identifier: Apache-2.0
// Several runs under way at once, of all ranks, in this thread: bound schedules that are started and advanced, over any
// kind of port.
#pragma once

#include <memory>
#include <random>
#include <string>

#include "engine/bound.hpp"
#include "engine/in_process.hpp"
#include "transport/composite.hpp"

namespace espalier::at_once {

// What the ports of all ranks have in common: two networks, of which most need one.
struct Networks {
  Networks(MemoryNetwork::Seed seed, std::size_t) : first(seed), second(seed + 1) {}

  [[nodiscard]] std::string error() const {
    return first.error() + second.error() + first.unmatched() + second.unmatched();
  }
  [[nodiscard]] int landed_early() const { return first.landed_early() + second.landed_early(); }
  [[nodiscard]] int lent() const { return first.lent() + second.lent(); }

  MemoryNetwork first, second;
};

// Odd paths over one network, and even ones over another; both at once.
class TwoPaths {
 public:
  using World = Networks;
  TwoPaths(Networks& networks, Rank rank) : first_(networks.first, rank), second_(networks.second, rank) {}
  [[nodiscard]] CompositePort<LendingMemoryPort, OpeningMemoryPort>& port() { return port_; }

 private:
  LendingMemoryPort first_;
  OpeningMemoryPort second_;
  CompositePort<LendingMemoryPort, OpeningMemoryPort> port_{first_, second_, 1};
};

template <class P>
class OnePath {
 public:
  using World = Networks;
  OnePath(Networks& networks, Rank rank) : port_(networks.first, rank) {}
  [[nodiscard]] P& port() { return port_; }

 private:
  P port_;
};

template <class Ports>
struct BoundRank {
  using P = std::remove_reference_t<decltype(std::declval<Ports>().port())>;
  BoundRank(const Participant& its, const Elements& how, int window, typename Ports::World& world, Rank rank)
      : ports(world, rank), bound(its.schedule, its.partition, window, how, ports.port()) {}
  Ports ports;
  BoundSchedule<P> bound;
  bool is_over = false;
};

struct Outcome {
  std::string error;
  int landed_early = 0, lent = 0;
};

// Each run has a participant for each rank. Ranks start their runs in order, and the rest is up to the seed.
template <class Ports>
Outcome run(std::span<const std::vector<Participant>> runs, const Elements& how, int window, MemoryNetwork::Seed seed) {
  typename Ports::World world(seed, runs.front().size());
  std::mt19937_64 random(seed);
  std::vector<std::unique_ptr<BoundRank<Ports>>> all;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    for (std::size_t rank = 0; rank < runs[number].size(); ++rank) {
      const Participant& its = runs[number][rank];
      all.push_back(std::make_unique<BoundRank<Ports>>(its, how, window, world, static_cast<Rank>(rank)));
      all.back()->bound.start(number, its.buffers);
    }
  }
  for (std::size_t left = all.size(), idle = 0; left > 0 && idle < 100'000; ++idle) {
    BoundRank<Ports>& one = *all[random() % all.size()];
    if (one.is_over || !one.bound.advance()) continue;
    one.is_over = true;
    idle = 0;
    --left;
  }
  std::string error = world.error();
  for (const auto& one : all) {
    if (!one->is_over && error.empty()) error = "a run does not end (seed " + std::to_string(seed) + ")";
  }
  return {error, world.landed_early(), world.lent()};
}

}  // namespace espalier::at_once
