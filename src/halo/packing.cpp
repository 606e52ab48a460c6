// SPDX-License-Identifier: Apache-2.0
#include "halo/packing.hpp"

#include <algorithm>

namespace espalier::halo {

double Packing::length() const {
  double last = 0;
  for (const PlacedPut& placement : placements) last = std::max(last, placement.ends);
  return last;
}

std::vector<std::vector<int>> queues_of(const Packing& packing, const Exchange& exchange, const Engines& engines,
                                        int node) {
  std::vector<std::vector<int>> queues(static_cast<std::size_t>(engines.count));
  const auto placement = [&](int put) -> const PlacedPut& { return packing.placements[static_cast<std::size_t>(put)]; };
  for (std::size_t put = 0; put < exchange.puts.size(); ++put) {
    if (exchange.puts[put].from != node) continue;
    const int index = static_cast<int>(put);
    queues[static_cast<std::size_t>(placement(index).source_engine)].push_back(index);
  }
  for (std::vector<int>& queue : queues) {
    std::ranges::stable_sort(queue, {}, [&](int put) { return placement(put).begins; });
  }
  return queues;
}

}  // namespace espalier::halo
