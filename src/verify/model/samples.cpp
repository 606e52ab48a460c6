// SPDX-License-Identifier: Apache-2.0
#include "verify/model/samples.hpp"

#include <algorithm>
#include <set>

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

bool has_only_merged_messages(std::span<const Schedule> ranks) {
  return std::ranges::all_of(ranks, [](const Schedule& schedule) {
    return std::ranges::all_of(schedule.operations,
                               [](const Operation& op) { return op.merged || !op.communicates(); });
  });
}

// A merged message is one item whatever the cut and the window, and nothing lies in a ring then: one choice of how to
// cut each block, with room for all of it, shows what there is to see apart from whole ones.
bool is_seen_with_merged_messages(const Sample& sample) {
  const bool is_whole = sample.segments == 1 && sample.window == 1;
  return !is_whole && (sample.segments == 1 || sample.window < sample.segments);
}

int blocks_of_longest_operation(std::span<const Schedule> ranks) {
  int most = 1;
  for (const Schedule& schedule : ranks) {
    for (const Operation& op : schedule.operations) {
      if (!op.merged) most = std::max(most, op.walked().blocks);
    }
  }
  return most;
}

}  // namespace

std::vector<Sample> samples_that_differ(std::span<const Schedule> ranks, std::span<const Sample> samples) {
  std::vector<Sample> differ(samples.begin(), samples.end());
  if (has_only_merged_messages(ranks)) std::erase_if(differ, is_seen_with_merged_messages);
  const int blocks = blocks_of_longest_operation(ranks);
  std::set<std::pair<int, int>> seen;  // a window that has room for all items is as good as a larger one
  std::erase_if(differ, [&](const Sample& sample) {
    const int items = blocks * (sample.segments + (sample.is_uneven ? 1 : 0));
    return !seen.emplace(sample.segments, std::min(sample.window, items)).second;
  });
  return differ;
}

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
