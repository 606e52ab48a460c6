// SPDX-License-Identifier: Apache-2.0
#include "halo/fastest.hpp"

#include "halo/packers.hpp"

namespace espalier::halo {

namespace {

// What gains less is not worth a look at what else might.
constexpr double clear_gain = 1e-6;

class PackingSearch {
 public:
  PackingSearch(const Exchange& exchange, const Engines& engines, const RateLimits& limits, std::size_t max_runs)
      : exchange_(exchange), engines_(engines), limits_(limits), runs_left_(max_runs) {}

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

  // One put at a time, to each engine, before each that has its turn there, and after all.
  bool moves_one() {
    const Packing before = best_;
    bool has_gained = false;
    for (std::size_t put = 0; put < exchange_.puts.size(); ++put) {
      for (int engine = 0; engine < engines_.count && runs_left_ > 0; ++engine) {
        has_gained = moves(before, put, engine) || has_gained;
      }
    }
    return has_gained;
  }

  bool moves(const Packing& before, std::size_t put, int engine) {
    const int node = exchange_.puts[put].from;
    bool has_gained = false;
    const std::vector<int> queue = queues_of(before, exchange_, engines_, node)[static_cast<std::size_t>(engine)];
    for (std::size_t turn = 0; turn <= queue.size() && runs_left_ > 0; ++turn) {
      const bool is_its = turn < queue.size() && queue[turn] == static_cast<int>(put);
      if (!is_its) has_gained = consider(moved(before, put, engine, queue, turn)) || has_gained;
    }
    return has_gained;
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

Packing fastest_packing(const Exchange& exchange, const Engines& engines, const RateLimits& limits,
                        std::size_t max_runs) {
  return PackingSearch(exchange, engines, limits, max_runs).run();
}

}  // namespace espalier::halo
