// SPDX-License-Identifier: Apache-2.0
#include "halo/fastest.hpp"

#include <algorithm>
#include <numeric>

#include "halo/packers.hpp"

namespace espalier::halo {

namespace {

// What gains less is not worth a look at what else might.
constexpr double clear_gain = 1e-6;

// A run goes from put to put, and at each looks at all those under way.
std::size_t max_runs_for(std::size_t puts) {
  constexpr std::size_t runs = 2000, of_puts = 64;
  return std::min(runs, runs * of_puts * of_puts / std::max<std::size_t>(1, puts * puts));
}

class PackingSearch {
 public:
  PackingSearch(const Exchange& exchange, const Engines& engines, const RateLimits& limits)
      : exchange_(exchange), engines_(engines), limits_(limits), runs_left_(max_runs_for(exchange.puts.size())) {}

  Packing run() {
    for (const Packer& packer : all_packers()) {
      if (packer.k <= engines_.count) consider(packer(exchange_, engines_));
    }
    while (runs_left_ > 0 && moves_one()) continue;
    return best_;
  }

 private:
  // Whether it is faster than what was.
  bool consider(const Packing& packing) {
    if (runs_left_ > 0) --runs_left_;
    Packing run = as_run(packing, exchange_, engines_, limits_);
    const double length = run.length();
    if (length >= best_length_ * (1 - clear_gain)) return false;
    best_ = std::move(run);
    best_length_ = length;
    return true;
  }

  // One put, those that end last first, to another engine or turn: before each that has its turn there, or after all.
  bool moves_one() {
    const Packing before = best_;
    for (const std::size_t put : last_first(before)) {
      for (int engine = 0; engine < engines_.count && runs_left_ > 0; ++engine) {
        if (moves(before, put, engine)) return true;
      }
    }
    return false;
  }

  [[nodiscard]] static std::vector<std::size_t> last_first(const Packing& packing) {
    std::vector<std::size_t> puts(packing.placements.size());
    std::iota(puts.begin(), puts.end(), std::size_t{0});
    std::ranges::stable_sort(puts, std::ranges::greater{},
                             [&](std::size_t put) { return packing.placements[put].ends; });
    return puts;
  }

  bool moves(const Packing& before, std::size_t put, int engine) {
    const int node = exchange_.puts[put].from;
    const std::vector<int> queue = queues_of(before, exchange_, engines_, node)[static_cast<std::size_t>(engine)];
    for (std::size_t turn = 0; turn <= queue.size() && runs_left_ > 0; ++turn) {
      const bool is_its = turn < queue.size() && queue[turn] == static_cast<int>(put);
      if (!is_its && consider(moved(before, put, engine, queue, turn))) return true;
    }
    return false;
  }

  // Only the order on an engine counts, so times say nothing but that.
  [[nodiscard]] static Packing moved(Packing packing, std::size_t put, int engine, const std::vector<int>& queue,
                                     std::size_t turn) {
    double time = 0;
    const auto is_next = [&](std::size_t index) {
      PlacedPut& placement = packing.placements[index];
      placement.begins = time;
      placement.ends = ++time;
    };
    for (std::size_t k = 0; k <= queue.size(); ++k) {
      if (k == turn) is_next(put);
      if (k < queue.size() && queue[k] != static_cast<int>(put)) is_next(static_cast<std::size_t>(queue[k]));
    }
    packing.placements[put].source_engine = packing.placements[put].target_engine = engine;
    return packing;
  }

  const Exchange& exchange_;
  const Engines& engines_;
  const RateLimits& limits_;
  std::size_t runs_left_;
  Packing best_;
  double best_length_ = RateLimits::none;
};

}  // namespace

Packing fastest_packing(const Exchange& exchange, const Engines& engines, const RateLimits& limits) {
  return PackingSearch(exchange, engines, limits).run();
}

}  // namespace espalier::halo
