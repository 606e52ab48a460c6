// SPDX-License-Identifier: Apache-2.0
#include "verify/samples.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace espalier::proof {

namespace {

// Some are empty. Of a pair of ranks both directions are alike, as they must be for calls in place.
std::size_t uneven_size(const Case& problem, int label, std::size_t mean) {
  std::uint64_t number = static_cast<std::uint64_t>(label);
  if (problem.contract().division == Division::by_pair) {
    const auto [low, high] = std::minmax({label / problem.size, label % problem.size});
    number =
        static_cast<std::uint64_t>(low) * static_cast<std::uint64_t>(problem.size) + static_cast<std::uint64_t>(high);
  }
  return mix(number) % (2 * mean + 1);
}

// The last place comes first, and there are gaps between blocks; but those that are reduced lie one after the other.
Partition::Given::Side side_of(const Case& problem, const Held& held, std::size_t mean) {
  constexpr std::size_t gap = 1;
  Partition::Given::Side side{held, {}, std::vector<std::size_t>(static_cast<std::size_t>(held.count))};
  for (int place = 0; place < held.count; ++place) {
    side.sizes.push_back(uneven_size(problem, held.label_at(place), mean));
  }
  const bool is_tight = problem.contract().reduces;
  std::size_t next = 0;
  for (std::size_t k = 0; k < side.sizes.size(); ++k) {
    const std::size_t place = is_tight ? k : side.sizes.size() - 1 - k;
    side.offsets[place] = next;
    next += side.sizes[place] + (is_tight ? 0 : gap);
  }
  return side;
}

}  // namespace

Partition uneven_partition(const Case& problem, Rank rank, int blocks, std::size_t mean, std::size_t segment) {
  return Partition(Partition::Given{.input = side_of(problem, problem.input(rank, blocks), mean),
                                    .output = side_of(problem, problem.output(rank, blocks), mean),
                                    .segment = segment});
}

std::vector<Partition> partitions_of(const AllRanks& all, const Sample& sample) {
  std::vector<Partition> partitions;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    const auto mean = static_cast<std::size_t>(sample.segments + 1) / 2;
    partitions.push_back(sample.is_uneven ? uneven_partition(all.problem(), rank, all.blocks(), mean, 1)
                                          : unit_partition(all.blocks(), sample.segments));
  }
  return partitions;
}

}  // namespace espalier::proof
