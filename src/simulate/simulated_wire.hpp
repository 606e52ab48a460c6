// SPDX-License-Identifier: Apache-2.0
// How messages of a run travel over SimGrid's links: what a node's engines and links have room for goes at once, the
// rest waits at its sender in the order in which it came.
//
// SimGrid shares a link among the messages on it. That is right for those that come from different nodes and meet on
// their routes; but a node sends the messages for one of its links one after the other, over one engine each. So a
// message begins when the first link of its route carries no other message of its node, and an engine is free at both
// ends. One that the library would cut into pieces takes all NICs that are free then, in equal parts. Its delay goes on
// after its last byte has left: it keeps neither link nor engine busy.
//
// Links that the messages of one node alone use are never shared. What goes over such links takes its bytes over their
// rate, as SimGrid would find, too: it is not asked, which makes trees of neighbours some ten times as fast to play.
#pragma once

#include <optional>

#include "core/prefetch.hpp"
#include "play/event_queue.hpp"
#include "play/timed_run.hpp"
#include "simulate/link_meetings.hpp"
#include "simulate/simgrid.hpp"
#include "simulate/wire_routes.hpp"

namespace espalier {

class SimulatedWire {
 public:
  struct SimulatedTransit {
    std::uint32_t ports = 0;  // that it takes, a bit each
    enum class MoveStage : std::uint8_t { is_new, waits, moves, has_moved } stage = MoveStage::is_new;
  };
  using Run = TimedRun<SimulatedWire, SimulatedTransit>;

  // All of these must outlive this.
  SimulatedWire(const Wiring& wiring, SimGrid& simgrid, const SimulatedNodes& nodes, const PlayedChannels& channels);

  // Also what has its links alone goes by SimGrid.
  void ask_simgrid_always() { routes_.share_all(); }

  // Until the last rank has finished; throws std::logic_error where ranks wait for each other. `progress` is called now
  // and then with how many messages have arrived.
  [[nodiscard]] double play(Run& run, const std::function<void(std::uint64_t)>& progress);

  // For TimedRun.
  [[nodiscard]] double now() const { return now_; }
  void plan(double seconds, PlannedEvent event);
  [[nodiscard]] bool stays_within(std::uint32_t channel) const { return routes_.stays_within(channel); }
  void carry(std::uint32_t message);
  void prefetch_route(std::uint32_t channel) const { prefetch_object(routes_.between(channel, 0)); }
  void prefetch_nodes(std::uint32_t channel) const {
    const WireRoute& route = routes_.between(channel, 0);
    if (route.from == route.to) return;
    prefetch_object(states_[static_cast<std::size_t>(route.from)]);
    prefetch_object(states_[static_cast<std::size_t>(route.to)]);
    prefetch(&is_busy_[static_cast<std::size_t>(route.first_link)]);
  }

  // How many messages found their first link, or all engines, busy.
  [[nodiscard]] std::uint64_t waited() const { return waited_; }
  // On how many links messages of different nodes met. Where messages have their links alone there are none.
  [[nodiscard]] std::int64_t met_links() const { return meetings_.count(); }

 private:
  struct NodeState {
    int sending = 0, receiving = 0;      // messages
    int last_port = -1;                  // that a message took
    std::vector<std::uint32_t> waiting;  // to be sent, in order
    std::vector<int> senders;            // that wait for an engine here
  };

  void handle_due();
  void prefetch_what_comes(const Run& run) const;
  void play_alone(Run& run, const std::function<void(std::uint64_t)>& progress);
  [[nodiscard]] std::uint32_t free_ports(const Run::TimedMessage& message, const NodeState& sender) const;
  [[nodiscard]] std::optional<int> preferred_port(Path path) const;
  [[nodiscard]] bool has_engine(int used) const { return nodes_.engines == 0 || used < nodes_.engines; }
  [[nodiscard]] bool try_to_start(std::uint32_t message);
  void start(std::uint32_t message, std::uint32_t ports);
  void start_in_simgrid(std::uint32_t message, int port, double bytes);
  [[nodiscard]] bool goes_alone(std::uint32_t channel, std::uint32_t ports) const;
  [[nodiscard]] std::span<const int> links_of(const WireRoute& route, int port);
  void start_waiting(int node);
  void end_in_simgrid(std::uint32_t message, int port);
  void end_move(std::uint32_t message);
  void free_ports_of(std::uint32_t message);

  const Wiring& wiring_;
  const int ports_;
  SimGrid& simgrid_;
  const SimulatedNodes& nodes_;
  WireRoutes routes_;
  std::vector<NodeState> states_;
  std::vector<char> is_busy_;  // by link: with a message of the node where it begins
  LinkMeetings meetings_;      // of what SimGrid moves
  std::vector<int> links_;     // of the route that was looked at last
  EventQueue<PlannedEvent> events_;
  double alarm_ = 0;  // that is set; 0: none
  double now_ = 0;
  std::uint64_t waited_ = 0;
  Run* run_ = nullptr;
};

}  // namespace espalier
