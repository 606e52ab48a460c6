// SPDX-License-Identifier: Apache-2.0
#include "estimate/running_time.hpp"

#include <algorithm>
#include <numeric>

#include "play/event_queue.hpp"
#include "play/timed_run.hpp"

namespace espalier {

namespace {

// An MPI that uses several NICs cuts messages longer than this among them.
constexpr double max_bytes_on_one_lane = 64 << 10;

}  // namespace

// Links that carry one message after the other, and the order in which things happen.
class Simulation::LinkQueues {
 public:
  struct OnLinks {
    std::size_t links_done = 0;  // of its route
    double last_byte = 0;        // when it is through the links so far
  };

  explicit LinkQueues(Simulation& simulation)
      : network_(simulation.network_),
        routes_(simulation.routes_),
        route_of_(simulation.route_of_),
        free_(routes_.bytes_per_second().size() * routes_.lanes(), 0.0) {}

  double play(TimedRun<LinkQueues, OnLinks>& run) {
    run_ = &run;
    run.begin();
    while (!events_.empty()) {
      now_ = events_.next();
      run.handle(events_.pop());
    }
    run.check_end();
    return now_;
  }

  [[nodiscard]] double now() const { return now_; }
  void plan(double seconds, PlannedEvent event) { events_.push(seconds, event); }
  [[nodiscard]] bool stays_within(std::uint32_t channel) const { return route_of_[channel] == nullptr; }

  // The first byte goes on at once, the last one when the link has carried all.
  void carry(std::uint32_t index) {
    auto& message = run_->message(index);
    const Route& route = *route_of_[message.channel];
    if (message.transit.links_done == route.links.size()) return run_->arrive(index);
    const int link = route.links[message.transit.links_done++];
    const std::span<double> lanes = lanes_for(message.bytes, link);
    const double rate = routes_.bytes_per_second()[link];
    const double begins = std::max(now_, lanes.back());
    const double rested_since = std::max(now_ - network_.burst_bytes() / rate, lanes.back());
    const double ends = rested_since + message.bytes / (rate * static_cast<double>(lanes.size()));
    std::ranges::fill(lanes, ends);
    message.transit.last_byte = std::max({message.transit.last_byte, begins, ends});
    const bool was_last = message.transit.links_done == route.links.size();
    plan(was_last ? message.transit.last_byte + route.delay : begins, {index, 0U});
  }

 private:
  // The lane that is free first, or all of them; the one that is free last comes last.
  [[nodiscard]] std::span<double> lanes_for(double bytes, int link) {
    const std::size_t count = routes_.lanes();
    const std::span<double> lanes(free_.data() + link * count, count);
    if (count > 1) std::ranges::sort(lanes);
    return bytes > max_bytes_on_one_lane ? lanes : lanes.first(1);
  }

  const Network& network_;
  const Routes& routes_;
  const std::vector<const Route*>& route_of_;
  std::vector<double> free_;  // since or from when on, of each lane of each link; in a burst it is in the past
  EventQueue<PlannedEvent> events_;
  double now_ = 0;
  TimedRun<LinkQueues, OnLinks>* run_ = nullptr;
};

Simulation::Simulation(std::span<const Schedule> ranks, const Network& network)
    : ranks_(ranks), network_(network), routes_(network), channels_(ranks) {
  for (const auto& [sender, receiver] : channels_.all()) route_of_.push_back(route_between(sender, receiver));
}

const Route* Simulation::route_between(Rank sender, Rank receiver) {
  const int from = network_.node_of(sender), to = network_.node_of(receiver);
  return from == to ? nullptr : &routes_.between(from, to);
}

double Simulation::seconds(const SimulatedMessage& message) {
  LinkQueues wire(*this);
  const ProcessorCosts costs{network_.hop_seconds(), network_.arithmetic_bytes_per_second()};
  TimedRun<LinkQueues, LinkQueues::OnLinks> run(ranks_, channels_, message, costs, wire);
  return wire.play(run);
}

double Simulation::min_seconds_per_segment(const SimulatedMessage& message) const {
  Load load{.of_link = std::vector<double>(routes_.bytes_per_second().size(), 0.0)};
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) add_load(rank, message, load);
  // Ranks of one node have none.
  return std::accumulate(load.of_link.begin(), load.of_link.end(), load.longest,
                         [](double most, double link) { return std::max(most, link); });
}

void Simulation::add_load(std::size_t rank, const SimulatedMessage& message, Load& load) const {
  const Schedule& schedule = ranks_[rank];
  const Partition& partition = message.partition;
  const double bytes =
      static_cast<double>(partition.elements() * message.element_bytes) / schedule.blocks / partition.segments();
  double of_processor = 0;
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    const int items = operation.merged ? 0 : operation.walked().blocks;
    if (operation.kind == Operation::Kind::reduce)
      of_processor += items * bytes / network_.arithmetic_bytes_per_second();
    if (operation.kind != Operation::Kind::send) continue;
    const int parts = operation.has_one_peer() ? 1 : items;
    for (int part = 0; part < parts; ++part) {
      const Route* route = route_of_[channels_.of(rank, k, part)];
      of_processor += items / parts * (route == nullptr ? bytes / memory_bytes_per_second : network_.hop_seconds());
      if (route != nullptr) add_load(*route, items / parts, bytes, message.window, load);
    }
  }
  load.longest = std::max(load.longest, of_processor);
}

void Simulation::add_load(const Route& route, int items, double bytes, int window, Load& load) const {
  for (const int link : route.links) {
    load.of_link[link] += items * bytes / routes_.bytes_per_second()[link] / routes_.lanes();
  }
  load.longest = std::max(load.longest, items * route.delay / window);
}

std::size_t Simulation::messages(int segments) const {
  std::size_t count = 0;
  for (const Schedule& schedule : ranks_) {
    for (const Operation& operation : schedule.operations) {
      if (operation.kind != Operation::Kind::send) continue;
      count += operation.merged
                   ? 1
                   : static_cast<std::size_t>(operation.walked().blocks) * static_cast<std::size_t>(segments);
    }
  }
  return count;
}

double running_time(std::span<const Schedule> ranks, const SimulatedMessage& message, const Network& network) {
  return Simulation(ranks, network).seconds(message);
}

}  // namespace espalier
