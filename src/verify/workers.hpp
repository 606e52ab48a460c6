// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace espalier::proof {

// work(0), ... work(count - 1), shared among threads in rising order. `work` must not throw.
template <class Work>
void work_in_threads(int threads, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t k = next++; k < count; k = next++) work(k);
  };
  std::vector<std::jthread> others;
  for (int k = 1; k < threads; ++k) others.emplace_back(take);
  take();
}

}  // namespace espalier::proof
