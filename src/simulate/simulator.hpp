// SPDX-License-Identifier: Apache-2.0
// What a collective takes on a described machine: the schedules that run there, played with SimGrid as the wire.
//
// A simulator is made once for a machine and the ranks on it. SimGrid allows one in a process.
#pragma once

#include <functional>
#include <string>

#include "core/choice.hpp"
#include "simulate/simulated_wire.hpp"
#include "topology/network.hpp"

namespace espalier {

// How far a play is: of its messages.
using PlayProgress = std::function<void(std::uint64_t played, std::uint64_t all)>;

struct PlayedTime {
  double seconds = 0;          // until the last rank has finished, all having begun together
  std::uint64_t messages = 0;  // between ranks, that were played
  std::uint64_t waited = 0;    // of them: the link or all engines were busy when they could have left
  std::int64_t met_links = 0;  // on which messages of different nodes met
  double play_seconds = 0;     // wall clock
  SteadyPace pace;             // where the schedules are one pipeline
};

class Simulator {
 public:
  // `node_of`: of each rank. The machine must outlive this.
  Simulator(const Machine& machine, std::vector<int> node_of);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const Wiring& wiring() const { return *wiring_; }
  [[nodiscard]] const SimulatedNodes& nodes() const { return nodes_; }
  [[nodiscard]] ProcessorCosts costs() const;

  // By default SimGrid moves only what may share a link (simulated_wire.hpp).
  void ask_simgrid_always() { asks_always_ = true; }

  // `choice` is not native, and fits the problem; `ranks` are its schedules. Throws std::logic_error where ranks wait
  // for each other.
  [[nodiscard]] PlayedTime play(std::span<const Schedule> ranks, const SimulatedMessage& message,
                                const PlayProgress& progress = {});

 private:
  const Machine& machine_;
  std::unique_ptr<const Wiring> wiring_;
  SimulatedNodes nodes_;
  Network network_;
  Shape shape_;
  SimGrid simgrid_;
  bool asks_always_ = false;
};

// The schedules of all ranks.
[[nodiscard]] std::vector<Schedule> schedules_of(const Choice& choice, const Problem& problem, const Shape& shape);

}  // namespace espalier
