// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_torus.hpp"

#include <cstdint>
#include <unordered_set>

namespace espalier {

namespace {

constexpr std::int64_t max_places = 1 << 20;  // a line may stand for many: they are refused before memory is taken

std::int64_t places_in(const std::vector<int>& extents) {
  std::int64_t places = 1;
  for (const int extent : extents) {
    if ((places *= extent) > max_places) return max_places + 1;
  }
  return places;
}

std::string shown(const std::vector<int>& extents) {
  std::string text;
  for (const int extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

class Toruses {
 public:
  Toruses(const std::vector<SlurmTorus>& toruses, double rate, const SlurmSource& source) : source_(source) {
    for (const SlurmTorus& torus : toruses) add(torus, rate);
    if (machine_.nodes.empty()) source_.fail(toruses.front().line, "there is no node; allowed: a list of nodes");
    if (toruses.size() == 1) return;
    machine_.lattice.reset();
    machine_.node_at.clear();
  }

  Machine machine() && { return std::move(machine_); }

 private:
  void add(const SlurmTorus& torus, double rate) {
    places_ += places_in(torus.extents);
    if (places_ > max_places) {
      source_.fail(torus.line, "too many places for nodes; allowed: " + std::to_string(max_places));
    }
    machine_.lattice.emplace();
    for (const int extent : torus.extents) machine_.lattice->axes.push_back({extent, extent > 1});
    machine_.node_at.assign(static_cast<std::size_t>(machine_.lattice->points()), no_node);
    for (const SlurmTorus::PlacedRegion& region : torus.regions) add_region(region, torus);
    const std::vector<Arc> arcs = arcs_of(*machine_.lattice, machine_.node_at, rate);
    machine_.arcs.insert(machine_.arcs.end(), arcs.begin(), arcs.end());
  }

  void add_region(const SlurmTorus::PlacedRegion& region, const SlurmTorus& torus) {
    const std::int64_t places = places_in(region.extents);
    if (places != static_cast<std::int64_t>(region.nodes.size())) {
      source_.fail(region.line, std::to_string(region.nodes.size()) + " nodes are named, but " + shown(region.extents) +
                                    " are " + std::to_string(places) + " places");
    }
    for (std::size_t axis = 0; axis < torus.extents.size(); ++axis) {
      if (region.anchor[axis] + std::int64_t{region.extents[axis]} > torus.extents[axis]) {
        source_.fail(region.line, "a node lies outside the extents, which are " + shown(torus.extents));
      }
    }
    Lattice box;
    for (const int extent : region.extents) box.axes.push_back({extent});
    for (std::size_t number = 0; number < region.nodes.size(); ++number) {
      Coordinates place = box.coordinates_of(static_cast<int>(number));
      for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] += region.anchor[axis];
      put(region.nodes[number], place, region.line);
    }
  }

  void put(const std::string& name, const Coordinates& place, int line) {
    if (!names_.insert(name).second) source_.fail(line, "node " + quoted(name) + " is there twice");
    int& here = machine_.node_at[static_cast<std::size_t>(machine_.lattice->number_of(place))];
    if (here != no_node) {
      source_.fail(line, "nodes " + quoted(machine_.nodes[static_cast<std::size_t>(here)].name) + " and " +
                             quoted(name) + " are at one place; allowed: one node at each");
    }
    here = static_cast<int>(machine_.nodes.size());
    machine_.nodes.push_back({name});
  }

  const SlurmSource& source_;
  Machine machine_;  // whose lattice is the torus that was added last
  std::int64_t places_ = 0;
  std::unordered_set<std::string> names_;
};

}  // namespace

Machine machine_of_toruses(const std::vector<SlurmTorus>& toruses, const SlurmRemarks& remarks,
                           const SlurmSource& source) {
  Machine machine = Toruses(toruses, remarks.rate(), source).machine();
  remarks.put_costs(machine);
  return machine;
}

}  // namespace espalier
