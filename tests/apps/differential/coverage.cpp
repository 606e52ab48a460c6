// SPDX-License-Identifier: Apache-2.0
#include "differential/coverage.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

namespace espalier::apps {

namespace {

// The combinations of `strength` dimensions, and which of their values have met.
class Meetings {
 public:
  Meetings(const std::vector<int>& sizes, int strength) : sizes_(sizes) {
    const int dimensions = static_cast<int>(sizes.size());
    for (unsigned chosen = 0; chosen < 1u << dimensions; ++chosen) {
      if (__builtin_popcount(chosen) != std::min(strength, dimensions)) continue;
      std::size_t combinations = 1;
      for (int d = 0; d < dimensions; ++d) combinations *= chosen >> d & 1 ? static_cast<std::size_t>(sizes[d]) : 1;
      groups_.push_back({chosen, std::vector<bool>(combinations, false)});
      missing_ += combinations;
    }
  }

  [[nodiscard]] bool all_met() const { return missing_ == 0; }

  // Whether the row brought anything new.
  bool add(const Row& row) {
    const std::size_t before = missing_;
    for (Group& group : groups_) {
      std::size_t index = 0;
      for (std::size_t d = 0; d < row.size(); ++d) {
        if (group.chosen >> d & 1)
          index = index * static_cast<std::size_t>(sizes_[d]) + static_cast<std::size_t>(row[d]);
      }
      if (group.met[index]) continue;
      group.met[index] = true;
      --missing_;
    }
    return missing_ < before;
  }

 private:
  struct Group {
    unsigned chosen;  // a bit for each dimension
    std::vector<bool> met;
  };
  const std::vector<int>& sizes_;
  std::vector<Group> groups_;
  std::size_t missing_ = 0;
};

Row row_at(std::uint32_t index, const std::vector<int>& sizes) {
  Row row;
  for (const int size : sizes) {
    row.push_back(static_cast<int>(index % static_cast<std::uint32_t>(size)));
    index /= static_cast<std::uint32_t>(size);
  }
  return row;
}

}  // namespace

Coverage coverage_named(const std::string& name) {
  if (name == "brief") return Coverage::brief;
  if (name == "pairs") return Coverage::pairs;
  if (name == "triples") return Coverage::triples;
  throw std::invalid_argument("coverage '" + name + "'; allowed: brief, pairs or triples");
}

std::vector<Row> cover(const std::vector<int>& sizes, Coverage coverage, std::uint64_t seed) {
  std::uint32_t total = 1;
  for (const int size : sizes) total *= static_cast<std::uint32_t>(size);
  std::vector<std::uint32_t> order(total);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));

  Meetings meetings(sizes, coverage == Coverage::triples ? 3 : 2);
  std::vector<Row> rows;
  for (const std::uint32_t index : order) {
    if (meetings.all_met()) break;
    Row row = row_at(index, sizes);
    if (meetings.add(row)) rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, [](const Row& row) { return row.front(); });
  return rows;
}

}  // namespace espalier::apps
