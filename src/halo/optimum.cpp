// SPDX-License-Identifier: Apache-2.0
#include "halo/optimum.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "halo/timetable.hpp"

namespace espalier::halo {

namespace {

// Engines that are equal count only by how many are busy.
class Occupancy {
 public:
  Occupancy(int engines, int max_diagonals) : engines_(engines), diagonals_(max_diagonals) {}

  double place(const Put& put, double length) {
    double begin = 0;
    Timetable& direction = directions_[put.direction];
    while (true) {
      double later = engines_.first_free(begin, length);
      later = direction.first_free(later, length);
      if (put.is_diagonal) later = diagonals_.first_free(later, length);
      if (later == begin) break;
      begin = later;
    }
    engines_.use(begin, begin + length);
    direction.use(begin, begin + length);
    if (put.is_diagonal) diagonals_.use(begin, begin + length);
    return begin;
  }

 private:
  Timetable engines_, diagonals_;
  std::map<int, Timetable> directions_;
};

// Any shortest packing is one in which no put could begin earlier by itself, and each of these comes out of some order
// (serial schedule generation).
class OrderSearch {
 public:
  OrderSearch(const Exchange& exchange, const Engines& engines, int k, std::size_t max_steps)
      : puts_(exchange.puts),
        engines_(engines),
        k_(k),
        steps_left_(max_steps),
        least_(least_length(exchange, engines, k)) {}

  // False: not known to be the shortest.
  bool run() {
    std::vector<int> order(puts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater<>(), [&](int put) { return put_at(put).bytes; });
    const std::vector<int> longest_first = order;
    std::mt19937 random(1);  // the same for all
    constexpr int tries = 2000;
    for (int k = 0; k < tries && !is_least(); ++k) {
      try_order(order);
      std::ranges::shuffle(order, random);
    }
    if (is_least()) return true;
    left_ = longest_first;
    descend(Occupancy(engines_.count, k_), std::vector<double>(puts_.size()), 0);
    return steps_left_ > 0;
  }

  [[nodiscard]] const std::vector<double>& begins() const { return best_begins_; }

 private:
  [[nodiscard]] const Put& put_at(int put) const { return puts_[static_cast<std::size_t>(put)]; }
  [[nodiscard]] double length_of(int put) const { return engines_.time_for(put_at(put), 0, 0); }
  [[nodiscard]] bool is_least() const { return best_ <= least_ * (1 + 1e-12); }

  void try_order(const std::vector<int>& order) {
    Occupancy occupancy(engines_.count, k_);
    std::vector<double> begins(puts_.size());
    double length = 0;
    for (const int put : order) {
      const double begin = occupancy.place(put_at(put), length_of(put));
      begins[static_cast<std::size_t>(put)] = begin;
      length = std::max(length, begin + length_of(put));
    }
    note(begins, length);
  }

  void note(const std::vector<double>& begins, double length) {
    if (length >= best_) return;
    best_ = length;
    best_begins_ = begins;
  }

  [[nodiscard]] bool is_same(int a, int b) const {
    return put_at(a).bytes == put_at(b).bytes && put_at(a).direction == put_at(b).direction;
  }

  void descend(const Occupancy& before, std::vector<double> begins, double length) {
    if (left_.empty()) return note(begins, length);
    const std::vector<int> candidates = left_;
    for (std::size_t k = 0; k < candidates.size() && !is_least() && steps_left_ > 0; ++k) {
      const int put = candidates[k];
      if (std::any_of(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(k),
                      [&](int other) { return is_same(put, other); })) {
        continue;
      }
      --steps_left_;
      Occupancy with = before;
      const double begin = with.place(put_at(put), length_of(put));
      const double so_far = std::max(length, begin + length_of(put));
      if (so_far >= best_) continue;
      begins[static_cast<std::size_t>(put)] = begin;
      left_.erase(std::ranges::find(left_, put));
      descend(with, begins, so_far);
      left_ = candidates;
    }
  }

  const std::vector<Put>& puts_;
  const Engines& engines_;
  const int k_;
  std::size_t steps_left_;
  const double least_;
  double best_ = std::numeric_limits<double>::infinity();
  std::vector<double> best_begins_;
  std::vector<int> left_;
};

// No more are under way at a time than there are engines, so that each finds one that is free when it begins; what has
// no bytes needs none.
Packing on_engines(const std::vector<double>& begins, const Exchange& exchange, const Engines& engines) {
  std::vector<int> order(begins.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int put) { return begins[static_cast<std::size_t>(put)]; });
  std::vector<double> free_from(static_cast<std::size_t>(engines.count));
  Packing packing;
  packing.placements.resize(begins.size());
  for (const int put : order) {
    const auto at = static_cast<std::size_t>(put);
    auto engine = std::ranges::find_if(free_from, [&](double free) { return free <= begins[at]; });
    const double ends = begins[at] + engines.time_for(exchange.puts[at], 0, 0);
    if (exchange.puts[at].bytes == 0) engine = free_from.begin();
    const int number = static_cast<int>(engine - free_from.begin());
    packing.placements[at] = {number, number, begins[at], ends};
    *engine = std::max(*engine, ends);
  }
  return packing;
}

}  // namespace

double least_length(const Exchange& exchange, const Engines& engines, int k) {
  double all = 0, diagonals = 0, longest = 0;
  std::map<int, double> directions;
  for (const Put& put : exchange.puts) {
    const double length = engines.time_for(put, 0, 0);
    all += length;
    if (put.is_diagonal) diagonals += length;
    longest = std::max(longest, directions[put.direction] += length);
  }
  return std::max({longest, all / engines.count, diagonals / k});
}

Shortest shortest_packing(const Exchange& exchange, const Engines& engines, int k, std::size_t max_steps) {
  if (exchange.nodes != 1 || !engines.rates.empty() || engines.stagger != 0) {
    throw std::invalid_argument("the shortest packing is only known for one node, and engines that are equal");
  }
  if (exchange.puts.empty()) return {.packing = {}, .is_proven = true};
  OrderSearch search(exchange, engines, k, max_steps);
  const bool is_proven = search.run();
  return {.packing = on_engines(search.begins(), exchange, engines), .is_proven = is_proven};
}

}  // namespace espalier::halo
