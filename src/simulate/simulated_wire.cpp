// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulated_wire.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace espalier {

namespace {

constexpr double no_alarm = std::numeric_limits<double>::infinity();

// So often does somebody look how far a run is.
constexpr std::uint64_t messages_between_looks = 1 << 14;

// About as long as memory takes: few enough for what was fetched to be in the cache still.
constexpr std::size_t events_between_prefetches = 2;

// As libfabric's transport cuts messages (transport/fabric/wire/pieces.hpp).
constexpr double piece_bytes = 64 << 10;

constexpr std::uint32_t bit_of(int port) { return std::uint32_t{1} << port; }

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
  const auto ports = static_cast<std::uint32_t>(ports_);
  const auto moved = [&, ports](std::uint32_t part) {
    now_ = std::max(now_, simgrid_.now());
    end_in_simgrid(part / ports, static_cast<int>(part % ports));
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

void SimulatedWire::prefetch_what_comes(const Run& run) const {
  for (std::size_t step = 0; step < Run::prefetch_steps; ++step) {
    const PlannedEvent* event = events_.ahead(events_between_prefetches * (Run::prefetch_steps - step));
    if (event != nullptr) run.prefetch(*event, step);
  }
}

// Without SimGrid there is nothing but what is planned.
void SimulatedWire::play_alone(Run& run, const std::function<void(std::uint64_t)>& progress) {
  alarm_ = 0;  // nothing sets one
  run.begin();
  for (std::uint64_t handled = 0; !events_.empty(); ++handled) {
    now_ = events_.next();
    const PlannedEvent event = events_.pop();
    prefetch_what_comes(run);
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
  const std::uint32_t ports = has_engine(sender.sending) ? free_ports(message, sender) : 0;
  if (ports == 0) return false;
  if (!has_engine(receiver.receiving)) {
    if (receiver.senders.empty() || receiver.senders.back() != route.from) receiver.senders.push_back(route.from);
    return false;
  }
  ++sender.sending;
  ++receiver.receiving;
  start(index, ports);
  return true;
}

// NICs of two nodes with the same number are on one switch. Where a path prefers one it is waited for: the library
// takes another one only where that has nothing to do. Where none does, by turns as many as there are pieces for.
std::uint32_t SimulatedWire::free_ports(const Run::TimedMessage& message, const NodeState& sender) const {
  const auto is_free = [&](int port) {
    return is_busy_[static_cast<std::size_t>(routes_.between(message.channel, port).first_link)] == 0;
  };
  const Path path = run_->path_of(message);
  if (const std::optional<int> preferred = preferred_port(path)) return is_free(*preferred) ? bit_of(*preferred) : 0;
  const int pieces = static_cast<int>(std::clamp(message.bytes / piece_bytes, 1.0, static_cast<double>(ports_)));
  std::uint32_t free = 0;
  for (int k = 1; k <= ports_; ++k) {
    const int port = (sender.last_port + k) % ports_;
    if (is_free(port)) free |= bit_of(port);
    if (std::popcount(free) == pieces) break;
  }
  return free;
}

std::optional<int> SimulatedWire::preferred_port(Path path) const {
  if (names_one_nic(path)) return nic_of(path) % ports_;
  if (path > 0 && path < by_all_in_turn) return (path - 1) % ports_;
  return std::nullopt;
}

void SimulatedWire::start(std::uint32_t index, std::uint32_t ports) {
  auto& message = run_->message(index);
  message.transit = {.ports = ports, .stage = SimulatedTransit::MoveStage::moves};
  const double bytes = message.bytes / std::popcount(ports);
  double alone_until = 0;
  for (int port = 0; port < ports_; ++port) {
    if ((ports & bit_of(port)) == 0) continue;
    const WireRoute& route = routes_.between(message.channel, port);
    states_[static_cast<std::size_t>(route.from)].last_port = port;
    is_busy_[static_cast<std::size_t>(route.first_link)] = 1;
    alone_until = std::max(alone_until, now_ + bytes / route.bytes_per_second);
  }
  if (goes_alone(message.channel, ports)) return plan(alone_until, {index, 0U});
  for (int port = 0; port < ports_; ++port) {
    if ((ports & bit_of(port)) != 0) start_in_simgrid(index, port, bytes);
  }
}

bool SimulatedWire::goes_alone(std::uint32_t channel, std::uint32_t ports) const {
  for (int port = 0; port < ports_; ++port) {
    if ((ports & bit_of(port)) != 0 && !routes_.between(channel, port).is_alone) return false;
  }
  return true;
}

void SimulatedWire::start_in_simgrid(std::uint32_t index, int port, double bytes) {
  const WireRoute& route = routes_.between(run_->message(index).channel, port);
  meetings_.enter(links_of(route, port));
  const std::uint32_t part = index * static_cast<std::uint32_t>(ports_) + static_cast<std::uint32_t>(port);
  simgrid_.start(part, {route.from, port}, {route.to, port}, bytes, nodes_.put_bytes_per_second);
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

// Of what goes by several NICs one part.
void SimulatedWire::end_in_simgrid(std::uint32_t index, int port) {
  auto& message = run_->message(index);
  const WireRoute& route = routes_.between(message.channel, port);
  meetings_.leave(links_of(route, port));
  if (message.transit.ports == bit_of(port)) return end_move(index);
  message.transit.ports &= ~bit_of(port);
  is_busy_[static_cast<std::size_t>(route.first_link)] = 0;
  start_waiting(route.from);
}

void SimulatedWire::end_move(std::uint32_t index) {
  const WireRoute& route = routes_.between(run_->message(index).channel, 0);
  free_ports_of(index);
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

void SimulatedWire::free_ports_of(std::uint32_t index) {
  auto& message = run_->message(index);
  for (int port = 0; port < ports_; ++port) {
    if ((message.transit.ports & bit_of(port)) != 0)
      is_busy_[static_cast<std::size_t>(routes_.between(message.channel, port).first_link)] = 0;
  }
  message.transit = {.stage = SimulatedTransit::MoveStage::has_moved};
}

}  // namespace espalier
