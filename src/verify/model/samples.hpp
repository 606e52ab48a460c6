// SPDX-License-Identifier: Apache-2.0
// What the partition of each rank is in a sample.
#pragma once

#include <span>
#include <vector>

#include "schedule/partition.hpp"
#include "verify/model/all_ranks.hpp"
#include "verify/model/sample.hpp"

namespace espalier::proof {

// Without those in which nothing can happen that does not in others.
[[nodiscard]] std::vector<Sample> samples_that_differ(std::span<const Schedule> ranks, std::span<const Sample> samples);

// By rank: a segment is an element. If sizes differ, a rank knows those of its own buffers only.
[[nodiscard]] std::vector<Partition> partitions_of(const AllRanks& all, const Sample& sample);

// Blocks of different sizes, of this many elements on average; a rank knows those of its own buffers only.
[[nodiscard]] Partition uneven_partition(const Case& problem, Rank rank, int blocks, std::size_t mean,
                                         std::size_t segment);

}  // namespace espalier::proof
