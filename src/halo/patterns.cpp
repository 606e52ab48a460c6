// SPDX-License-Identifier: Apache-2.0
#include "halo/patterns.hpp"

#include <array>
#include <vector>

namespace espalier::halo {

namespace {

constexpr int east = 0, west = 1, north = 2, south = 3;  // links, and the first directions
constexpr std::size_t halo = 2, side = 16, value_bytes = 8;

struct DirectionLinks {
  const char* name;
  std::vector<int> links;
  std::size_t points;  // of each layer of the grid, in one put
  int puts;
};

// By number: opposite ones, which share nothing, follow each other.
enum : int { northeast = 4, southwest, northwest, southeast };

const std::array<DirectionLinks, 8>& all_directions() {
  static const std::array<DirectionLinks, 8> directions = {{{"east", {east}, halo * side, 1},
                                                            {"west", {west}, halo * side, 1},
                                                            {"north", {north}, side, 2},
                                                            {"south", {south}, side, 2},
                                                            {"northeast", {east, north}, halo, 2},
                                                            {"southwest", {west, south}, halo, 2},
                                                            {"northwest", {west, north}, halo, 2},
                                                            {"southeast", {east, south}, halo, 2}}};
  return directions;
}

// In the order in which a program might name them: those next to each other share links.
std::vector<int> numbers_of(Neighbours neighbours) {
  switch (neighbours) {
    case Neighbours::east_west: return {east, west};
    case Neighbours::north_south: return {north, south};
    case Neighbours::sides: return {east, west, north, south};
    case Neighbours::diagonals: return {northeast, northwest, southeast, southwest};
    case Neighbours::all: return {northeast, northwest, southeast, southwest, east, west, north, south};
  }
  return {};
}

}  // namespace

Exchange scale_les3(int height, Neighbours neighbours) {
  Exchange exchange{.nodes = 1, .links = 4, .puts = {}, .directions = {}};
  for (const DirectionLinks& direction : all_directions()) exchange.directions.emplace_back(direction.name);
  const std::size_t upwards = halo + static_cast<std::size_t>(height) + halo;
  for (const int number : numbers_of(neighbours)) {
    const DirectionLinks& direction = all_directions()[static_cast<std::size_t>(number)];
    const Put put{.bytes = upwards * direction.points * value_bytes,
                  .direction = number,
                  .is_diagonal = direction.links.size() > 1,
                  .links = direction.links};
    exchange.puts.insert(exchange.puts.end(), static_cast<std::size_t>(direction.puts), put);
  }
  return exchange;
}

}  // namespace espalier::halo
