// SPDX-License-Identifier: Apache-2.0
// The proof of the whole registry: every algorithm, for many rank counts, roots and choices of how to cut the message.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "core/arrangement.hpp"
#include "verify/sample_networks.hpp"
#include "verify/verify.hpp"

namespace espalier {

// One set of schedules: one for each rank, as build_schedule() makes them.
struct SweepCase {
  const Algorithm* algorithm = nullptr;
  Case problem;
  int pieces = 1, radix = 2;  // as Request has them
  int leaders = 0;
  bool is_uneven = false;                // blocks of different sizes, with gaps between them
  const Network* network = nullptr;      // how the ranks are joined; null: not known
  const RanksByNode* by_node = nullptr;  // which ranks share a node, where no network says so
  std::string network_name;
  std::shared_ptr<const Arrangement> arrangement;  // null: each rank stands in the place of its number

  [[nodiscard]] Schedule build(Rank rank) const;
  [[nodiscard]] std::vector<Schedule> build() const;
  [[nodiscard]] std::string text() const;  // "allreduce:ring, 5 ranks, odd ranks in place"
};

struct SweepProgress {
  std::size_t done = 0, total = 0;  // pairs of an algorithm and a shape, the largest first
  std::size_t failures = 0;
};

struct SweepOptions {
  std::vector<Rank> sizes;               // empty: 1 to 33, and 64. An algorithm that needs a network has samples.
  Rank all_roots_up_to = 9;              // above: the first, the middle and the last rank
  Rank all_sizes_up_to = 17;             // above: in place on all ranks with even blocks, on some with uneven ones
  std::vector<int> pieces{1, 2, 5, 16};  // for algorithms that cut blocks by length
  std::vector<int> radices{2, 3, 4, 8};  // for those that take a radix
  // Which items wait for which, and which share memory, is linear in segments and window, so what counts is their order
  // of magnitude: one segment (the flat executor) with windows from the least to the largest, about as many segments as
  // the window, and at least 2 * window + 1 of them for windows of 1, 2 and the default.
  std::vector<Sample> samples{{1, 1}, {1, 4}, {1, 64}, {2, 2}, {3, 64}, {3, 1}, {5, 2}, {9, 4}};
  bool over_nodes = true;                // also by leaders of nodes, on samples of networks
  std::optional<Collective> collective;  // only these
  std::string algorithm;                 // only those of this name; empty: all
  int threads = 2;
  std::function<void(const SweepProgress&)> progress;  // called from any thread, but not from two at once

  [[nodiscard]] bool wants(const Algorithm& one) const;
};

struct SweepFailure {
  std::string where;
  std::string error;
};

struct SweepResult {
  std::size_t schedules = 0;  // sets of schedules, each proved for all ranks together
  std::size_t events = 0;     // items run symbolically
  std::vector<SweepFailure> failures;
  double seconds = 0;
};

// Among whom the algorithm is proved: the largest first. Without a network, its name is empty.
[[nodiscard]] std::vector<SampleNetwork> sweep_shapes(const Algorithm& algorithm, const SweepOptions& options);

// All that differs but the ranks: roots, in-place variants, pieces, radices, even and uneven blocks, arrangements.
[[nodiscard]] std::vector<SweepCase> sweep_cases(const Algorithm& algorithm, const SampleNetwork& among,
                                                 const SweepOptions& options);
[[nodiscard]] std::vector<SweepCase> sweep_cases(const Algorithm& algorithm, Rank size, const SweepOptions& options);

// Also checked: that the order of the operands is the same whichever rank calls in place, since only that rank knows
// it; and the registry's claims about rank order and order classes.
[[nodiscard]] SweepResult sweep(const SweepOptions& options);

}  // namespace espalier
