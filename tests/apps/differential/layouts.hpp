// SPDX-License-Identifier: Apache-2.0
// How messages may lie in memory: the signatures of all ranks are equal, the types need not be.
#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

namespace espalier::apps {

// What one rank passes to the MPI.
struct Side {
  MPI_Datatype type;
  int count;
};

// Of messages that are any number of units: each rank lays out a unit differently.
struct Layout {
  std::string name;  // as cases have it
  std::vector<Side> units;
  // A whole message of this many units, where a call names it at once; null: as many of the units.
  Side (*whole)(int units, int who) = nullptr;

  [[nodiscard]] const Side& unit(int who) const { return units[static_cast<std::size_t>(who) % units.size()]; }
  [[nodiscard]] std::size_t unit_bytes() const;
  // All ranks name a message alike.
  [[nodiscard]] bool is_uniform() const { return units.size() == 1 && whole == nullptr; }
};

[[nodiscard]] std::span<const Layout> layouts();
// Throws std::invalid_argument if there is none.
[[nodiscard]] const Layout& layout_named(const std::string& name);

}  // namespace espalier::apps
