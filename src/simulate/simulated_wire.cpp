// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulated_wire.hpp"

#include <algorithm>
#include <limits>

namespace espalier {

namespace {

constexpr double no_alarm = std::numeric_limits<double>::infinity();
constexpr int no_port = -1;

// So often does somebody look how far a run is.
constexpr std::uint64_t messages_between_looks = 1 << 14;

}  // namespace

SimulatedWire::SimulatedWire(const Wiring& wiring, SimGrid& simgrid, const SimulatedNodes& nodes,
                             const PlayedChannels& channels)
    : wiring_(wiring),
      ports_(wiring.ports()),
      simgrid_(simgrid),
      nodes_(nodes),
      routes_(wiring, nodes, channels.all()),
      states_(static_cast<std::size_t>(wiring.nodes())),
      is_busy_(wiring.links().size()),
      meetings_(wiring.links().size()),
      alarm_(no_alarm) {}

double SimulatedWire::play(Run& run, const std::function<void(std::uint64_t)>& progress) {
  run_ = &run;
  const auto moved = [&](std::uint32_t message) {
    now_ = std::max(now_, simgrid_.now());
    end_move(message);
    if (run.arrived() % messages_between_looks == 0) progress(run.arrived());
  };
  if (routes_.all_are_alone()) {
    play_alone(run, progress);
  } else {
    simgrid_.run({.moved = moved, .alarm = [this] { handle_due(); }}, [&run] { run.begin(); });
  }
  run.check_end();
  return now_;
}

// Without SimGrid there is nothing but what is planned.
void SimulatedWire::play_alone(Run& run, const std::function<void(std::uint64_t)>& progress) {
  alarm_ = 0;  // nothing sets one
  run.begin();
  for (std::uint64_t handled = 0; !events_.empty(); ++handled) {
    now_ = events_.next();
    const PlannedEvent event = events_.pop();
    if (!events_.empty()) run.prefetch(events_.next_event());
    run.handle(event);
    if (handled % (4 * messages_between_looks) == 0) progress(run.arrived());
  }
}

void SimulatedWire::plan(double seconds, PlannedEvent event) {
  events_.push(seconds, event);
  if (seconds >= alarm_) return;
  alarm_ = seconds;
  simgrid_.set_alarm(seconds);
}

// SimGrid's time may be off by its rounding: what was planned for now happens now.
void SimulatedWire::handle_due() {
  const double due = std::max(alarm_, simgrid_.now());
  alarm_ = 0;  // nothing sets one meanwhile
  while (!events_.empty() && events_.next() <= due) {
    now_ = std::max(now_, events_.next());
    run_->handle(events_.pop());
  }
  alarm_ = no_alarm;
  if (events_.empty()) return;
  alarm_ = events_.next();
  simgrid_.set_alarm(alarm_);
}

const WireRoute& SimulatedWire::route_of(std::uint32_t index) const {
  const auto& message = run_->message(index);
  return routes_.between(message.channel, message.transit.port);
}

void SimulatedWire::carry(std::uint32_t index) {
  auto& message = run_->message(index);
  switch (message.transit.stage) {
    case SimulatedTransit::MoveStage::has_moved: return run_->arrive(index);
    case SimulatedTransit::MoveStage::moves: return end_move(index);
    case SimulatedTransit::MoveStage::is_new:
    case SimulatedTransit::MoveStage::waits: break;
  }
  message.transit.stage = SimulatedTransit::MoveStage::waits;
  if (try_to_start(index)) return;
  ++waited_;
  states_[static_cast<std::size_t>(routes_.between(message.channel, 0).from)].waiting.push_back(index);
}

bool SimulatedWire::try_to_start(std::uint32_t index) {
  const auto& message = run_->message(index);
  const WireRoute& route = routes_.between(message.channel, 0);
  NodeState& sender = states_[static_cast<std::size_t>(route.from)];
  NodeState& receiver = states_[static_cast<std::size_t>(route.to)];
  const int port = has_engine(sender.sending) ? free_port(message.channel, run_->path_of(message), sender) : no_port;
  if (port == no_port) return false;
  if (!has_engine(receiver.receiving)) {
    if (receiver.senders.empty() || receiver.senders.back() != route.from) receiver.senders.push_back(route.from);
    return false;
  }
  ++sender.sending;
  ++receiver.receiving;
  start(index, port);
  return true;
}

// NICs of two nodes with the same number are on one switch. A message takes the first one that is free, as it does in
// the library: where its path prefers one that first, else by turns.
int SimulatedWire::free_port(std::uint32_t channel, Path path, const NodeState& sender) const {
  const auto is_free = [&](int port) {
    return is_busy_[static_cast<std::size_t>(routes_.between(channel, port).first_link)] == 0;
  };
  if (names_one_nic(path)) return is_free(nic_of(path) % ports_) ? nic_of(path) % ports_ : no_port;
  const bool prefers_one = path > 0 && path < by_all_in_turn;
  const int first = prefers_one ? path - 1 : sender.last_port + 1;
  for (int k = 0; k < ports_; ++k) {
    if (is_free((first + k) % ports_)) return (first + k) % ports_;
  }
  return no_port;
}

void SimulatedWire::start(std::uint32_t index, int port) {
  auto& message = run_->message(index);
  message.transit = {.port = port, .stage = SimulatedTransit::MoveStage::moves};
  const WireRoute& route = route_of(index);
  states_[static_cast<std::size_t>(route.from)].last_port = port;
  is_busy_[static_cast<std::size_t>(route.first_link)] = 1;
  if (route.is_alone) {
    plan(now_ + message.bytes / route.bytes_per_second, {index, 0U});
  } else {
    start_in_simgrid(index, route, port);
  }
}

void SimulatedWire::start_in_simgrid(std::uint32_t index, const WireRoute& route, int port) {
  meetings_.enter(links_of(route, port));
  simgrid_.start(index, {route.from, port}, {route.to, port}, run_->message(index).bytes, nodes_.put_bytes_per_second);
}

std::span<const int> SimulatedWire::links_of(const WireRoute& route, int port) {
  links_.clear();
  wiring_.route(route.from, port, route.to, port, links_);
  return links_;
}

void SimulatedWire::start_waiting(int node) {
  NodeState& state = states_[static_cast<std::size_t>(node)];
  if (state.waiting.empty()) return;
  std::erase_if(state.waiting, [&](std::uint32_t message) { return try_to_start(message); });
}

void SimulatedWire::end_move(std::uint32_t index) {
  const WireRoute& route = route_of(index);
  if (!route.is_alone) meetings_.leave(links_of(route, run_->message(index).transit.port));
  run_->message(index).transit.stage = SimulatedTransit::MoveStage::has_moved;
  is_busy_[static_cast<std::size_t>(route.first_link)] = 0;
  --states_[static_cast<std::size_t>(route.from)].sending;
  NodeState& receiver = states_[static_cast<std::size_t>(route.to)];
  --receiver.receiving;
  start_waiting(route.from);
  if (!receiver.senders.empty()) {
    std::vector<int> senders;
    senders.swap(receiver.senders);
    for (const int sender : senders) start_waiting(sender);
  }
  if (route.delay == 0) return run_->arrive(index);
  plan(now_ + route.delay, {index, 0U});
}

}  // namespace espalier
