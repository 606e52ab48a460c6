// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

namespace bench {

namespace {

// Ranks on a periodic grid, the last dimension fastest.
template <std::size_t dimensions>
class Grid {
 public:
  using Place = std::array<int, dimensions>;

  explicit Grid(int ranks) { MPI_Dims_create(ranks, static_cast<int>(dimensions), size_.data()); }
  [[nodiscard]] std::vector<int> sizes() const { return {size_.begin(), size_.end()}; }
  [[nodiscard]] int neighbour(int rank, const Place& step) const {
    Place place = place_of(rank);
    int number = 0;
    for (std::size_t k = 0; k < dimensions; ++k)
      number = number * size_[k] + (place[k] + step[k] + size_[k]) % size_[k];
    return number;
  }

 private:
  [[nodiscard]] Place place_of(int rank) const {
    Place place{};
    for (std::size_t k = dimensions; k-- > 0; rank /= size_[k]) place[k] = rank % size_[k];
    return place;
  }
  Place size_{};
};

// Each put has one that comes from the opposite side.
template <std::size_t dimensions>
void add(Pattern& pattern, const Grid<dimensions>& grid, int rank, const typename Grid<dimensions>::Place& step,
         std::size_t bytes) {
  typename Grid<dimensions>::Place back = step;
  for (int& one : back) one = -one;
  pattern.sent.push_back({grid.neighbour(rank, step), bytes});
  pattern.received.push_back({grid.neighbour(rank, back), bytes});
}

Pattern scale(std::size_t longest, int rank, int ranks) {
  struct Direction {
    std::array<int, 2> step;
    std::size_t share;  // of the longest
    int puts;
  };
  constexpr Direction directions[] = {{{-1, 1}, 16, 2}, {{-1, -1}, 16, 2}, {{1, 1}, 16, 2}, {{1, -1}, 16, 2},
                                      {{0, 1}, 1, 1},   {{0, -1}, 1, 1},   {{-1, 0}, 2, 2}, {{1, 0}, 2, 2}};
  const Grid<2> grid(ranks);
  Pattern pattern{.grid = grid.sizes()};
  for (const Direction& direction : directions) {
    for (int put = 0; put < direction.puts; ++put)
      add(pattern, grid, rank, direction.step, std::max<std::size_t>(8, longest / direction.share));
  }
  return pattern;
}

Pattern stencil(std::size_t longest, int rank, int ranks) {
  constexpr double value_bytes = 8;
  const double side = std::max(1.0, std::round(std::sqrt(static_cast<double>(longest) / value_bytes)));
  const Grid<3> grid(ranks);
  Pattern pattern{.grid = grid.sizes()};
  for (int code = 0; code < 27; ++code) {
    const std::array<int, 3> step = {code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
    const auto moved = std::ranges::count_if(step, [](int one) { return one != 0; });
    if (moved == 0) continue;
    add(pattern, grid, rank, step, static_cast<std::size_t>(value_bytes * std::pow(side, 3 - moved)));
  }
  return pattern;
}

Pattern alike(std::size_t bytes, int rank, int ranks) {
  Pattern pattern = stencil(bytes, rank, ranks);
  for (std::vector<Block>* blocks : {&pattern.sent, &pattern.received}) {
    for (Block& block : *blocks) block.bytes = bytes;
  }
  pattern.is_alike = true;
  return pattern;
}

// Of each two ranks that are joined, each sends the other one as much.
Pattern irregular(std::size_t longest, int rank, int ranks) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> share(0, 1);
  Pattern pattern;
  for (int a = 0; a < ranks; ++a) {
    for (int b = a + 1; b < ranks; ++b) {
      const double chance = b - a <= 2 ? 1 : 2.5 / (b - a);
      const double drawn = share(random), length = std::pow(share(random), 3);
      if (drawn > chance || (rank != a && rank != b)) continue;
      const Block block{rank == a ? b : a, 8 + static_cast<std::size_t>(static_cast<double>(longest) * length)};
      pattern.sent.push_back(block);
      pattern.received.push_back(block);
    }
  }
  return pattern;
}

}  // namespace

Pattern pattern_of(const std::string& name, std::size_t longest, int rank, int ranks) {
  if (name == "scale") return scale(longest, rank, ranks);
  if (name == "stencil") return stencil(longest, rank, ranks);
  if (name == "alike") return alike(longest, rank, ranks);
  if (name == "irregular") return irregular(longest, rank, ranks);
  throw std::invalid_argument(name + ": unknown pattern; allowed: scale, stencil, alike, irregular");
}

}  // namespace bench
