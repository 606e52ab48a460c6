// SPDX-License-Identifier: Apache-2.0
#include "preload/loader/caller_ranges.hpp"

#include <algorithm>
#include <cstdlib>

#include "preload/loader/lock.hpp"

namespace espalier {

void CallerRanges::add(const CallerRange& range) {
  const Lock lock(writers_);
  if (find(reinterpret_cast<const void*>(range.first))) return;
  const Snapshot* old = current_.load(std::memory_order_relaxed);
  const std::size_t count = old ? old->count : 0;
  if (count == max_ranges) return;
  auto* next = static_cast<Snapshot*>(std::malloc(sizeof(Snapshot) + (count + 1) * sizeof(CallerRange)));
  if (!next) return;  // this caller is then classified again at its next call

  next->previous = old;
  next->count = count + 1;
  CallerRange* out = next->ranges;
  const CallerRange* in = old ? old->ranges : nullptr;
  const CallerRange* end = in + count;
  const CallerRange* place = std::find_if(in, end, [&](const CallerRange& other) { return other.first > range.first; });
  out = std::copy(in, place, out);
  *out++ = range;
  std::copy(place, end, out);
  current_.store(next, std::memory_order_release);
}

}  // namespace espalier
