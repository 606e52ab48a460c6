// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulated_wire.hpp"

#include <algorithm>
#include <limits>

namespace espalier {

namespace {

constexpr double no_alarm = std::numeric_limits<double>::infinity();

// So often does somebody look how far a run has come.
constexpr std::uint64_t messages_between_looks = 1 << 14;

}  // namespace

SimulatedWire::SimulatedWire(const Wiring& wiring, SimGrid& simgrid, const SimulatedNodes& nodes,
                             const Channels& channels)
    : wiring_(wiring),
      simgrid_(simgrid),
      nodes_(nodes),
      channels_(channels.all()),
      states_(static_cast<std::size_t>(wiring.nodes())),
      links_are_shared_(wiring.links().size()),
      is_busy_(wiring.links().size()),
      alarm_(no_alarm) {
  find_shared_links();
}

void SimulatedWire::find_shared_links() {
  std::vector<int> user(wiring_.links().size(), no_node);
  for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
    if (stays_within(channel)) continue;
    const auto [sender, receiver] = channels_[channel];
    const int from = nodes_.node_of[static_cast<std::size_t>(sender)];
    const int to = nodes_.node_of[static_cast<std::size_t>(receiver)];
    for (int port = 0; port < wiring_.ports(); ++port) {
      route_.clear();
      wiring_.route(from, port, to, port, route_);
      for (const int link : route_) {
        int& first = user[static_cast<std::size_t>(link)];
        if (first != no_node && first != from) links_are_shared_[static_cast<std::size_t>(link)] = 1;
        first = from;
      }
    }
  }
}

double SimulatedWire::play(Run& run, const std::function<void(std::uint64_t)>& progress) {
  run_ = &run;
  const auto moved = [&](std::uint32_t message) {
    now_ = std::max(now_, simgrid_.now());
    end_move(message);
    if (run.arrived() % messages_between_looks == 0) progress(run.arrived());
  };
  if (std::ranges::count(links_are_shared_, 1) == 0) {
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
    run.handle(events_.pop());
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

bool SimulatedWire::stays_within(std::uint32_t channel) const {
  const auto [sender, receiver] = channels_[channel];
  return nodes_.node_of[static_cast<std::size_t>(sender)] == nodes_.node_of[static_cast<std::size_t>(receiver)];
}

void SimulatedWire::carry(std::uint32_t message) {
  switch (run_->message(message).transit.stage) {
    case Transit::Stage::has_moved: return run_->arrive(message);
    case Transit::Stage::moves: return end_move(message);
    case Transit::Stage::waits: break;
  }
  find_route(message);
  if (try_to_start(message)) return;
  ++waited_;
  states_[static_cast<std::size_t>(run_->message(message).transit.from.node)].waiting.push_back(message);
}

void SimulatedWire::find_route(std::uint32_t index) {
  auto& message = run_->message(index);
  const auto [sender, receiver] = channels_[message.channel];
  const int from = nodes_.node_of[static_cast<std::size_t>(sender)];
  const int to = nodes_.node_of[static_cast<std::size_t>(receiver)];
  const int port = port_for(from, run_->path_of(message));
  route_.clear();
  wiring_.route(from, port, to, port, route_);
  message.transit = {.from = {from, port}, .to = {to, port}, .first_link = route_.front()};
  message.transit.is_alone =
      std::ranges::none_of(route_, [&](int link) { return links_are_shared_[static_cast<std::size_t>(link)] != 0; });
}

// NICs of two nodes with the same number are on one switch. Where none is named the node's are taken in turn.
int SimulatedWire::port_for(int node, Path path) const {
  if (wiring_.ports() == 1) return 0;
  if (names_one_nic(path)) return nic_of(path) % wiring_.ports();
  if (path > 0 && path < by_all_in_turn) return (path - 1) % wiring_.ports();
  const NodeState& state = states_[static_cast<std::size_t>(node)];
  return static_cast<int>((static_cast<std::size_t>(state.sending) + state.waiting.size()) %
                          static_cast<std::size_t>(wiring_.ports()));
}

bool SimulatedWire::try_to_start(std::uint32_t index) {
  const auto& message = run_->message(index);
  const auto& [from, to, first_link, stage, is_alone] = message.transit;
  NodeState& sender = states_[static_cast<std::size_t>(from.node)];
  NodeState& receiver = states_[static_cast<std::size_t>(to.node)];
  char& is_busy = is_busy_[static_cast<std::size_t>(first_link)];
  if (is_busy != 0 || !has_engine(sender.sending)) return false;
  if (!has_engine(receiver.receiving)) {
    if (receiver.senders.empty() || receiver.senders.back() != from.node) receiver.senders.push_back(from.node);
    return false;
  }
  is_busy = 1;
  ++sender.sending;
  ++receiver.receiving;
  is_alone ? move_alone(index) : simgrid_.start(index, from, to, message.bytes, nodes_.put_bytes_per_second);
  return true;
}

void SimulatedWire::move_alone(std::uint32_t index) {
  auto& message = run_->message(index);
  message.transit.stage = Transit::Stage::moves;
  double rate = nodes_.put_bytes_per_second > 0 ? nodes_.put_bytes_per_second : no_alarm;
  route_.clear();
  wiring_.route(message.transit.from.node, message.transit.from.port, message.transit.to.node, message.transit.to.port,
                route_);
  for (const int link : route_) rate = std::min(rate, wiring_.links()[static_cast<std::size_t>(link)]);
  plan(now_ + message.bytes / rate, {index, 0U});
}

void SimulatedWire::start_waiting(int node) {
  NodeState& state = states_[static_cast<std::size_t>(node)];
  std::erase_if(state.waiting, [&](std::uint32_t message) { return try_to_start(message); });
}

void SimulatedWire::end_move(std::uint32_t index) {
  auto& transit = run_->message(index).transit;
  const auto [from, to, first_link, stage, is_alone] = transit;
  transit.stage = Transit::Stage::has_moved;
  is_busy_[static_cast<std::size_t>(first_link)] = 0;
  --states_[static_cast<std::size_t>(from.node)].sending;
  NodeState& receiver = states_[static_cast<std::size_t>(to.node)];
  --receiver.receiving;
  route_.clear();
  wiring_.route(from.node, from.port, to.node, to.port, route_);
  plan(now_ + wiring_.delay(route_), {index, 0U});
  start_waiting(from.node);
  std::vector<int> senders;
  senders.swap(receiver.senders);
  for (const int sender : senders) start_waiting(sender);
}

}  // namespace espalier
