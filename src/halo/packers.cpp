// SPDX-License-Identifier: Apache-2.0
#include "halo/packers.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include "halo/timetable.hpp"

namespace espalier::halo {

namespace {

std::vector<int> in_order(const Exchange& exchange, PutOrder order) {
  std::vector<int> puts(exchange.puts.size());
  std::iota(puts.begin(), puts.end(), 0);
  const auto put = [&](int index) -> const Put& { return exchange.puts[static_cast<std::size_t>(index)]; };
  std::ranges::stable_sort(puts, [&](int a, int b) {
    if (put(a).bytes != put(b).bytes) return (put(a).bytes > put(b).bytes) == (order == PutOrder::longest_first);
    return put(a).direction < put(b).direction;
  });
  return puts;
}

// Who uses what, as puts find their places.
class Board {
 public:
  Board(const Exchange& exchange, const Engines& engines, int max_diagonals)
      : engines_(engines),
        senders_(static_cast<std::size_t>(exchange.nodes * engines.count)),
        receivers_(senders_.size()),
        diagonals_(static_cast<std::size_t>(exchange.nodes), Timetable(max_diagonals)) {}

  // The lowest place, and of these the leftmost; the receiver of the same number, if that is free as early.
  PlacedPut place(const Put& put) {
    PlacedPut best;
    bool has_best = false;
    for (int source = 0; source < engines_.count; ++source) {
      const int targets = engines_.are_rails ? 1 : engines_.count;
      for (int turn = 0; turn < targets; ++turn) {
        const int target = (source + turn) % engines_.count;
        const PlacedPut found = first_place(put, source, target);
        if (has_best && found.begins >= best.begins) continue;
        best = found;
        has_best = true;
      }
    }
    use(put, best);
    return best;
  }

 private:
  PlacedPut first_place(const Put& put, int source, int target) {
    const double length = engines_.time_for(put, source, target);
    double begin = engines_.first_begin(source);
    while (true) {
      double later = sender(put.from, source).first_free(begin, length);
      later = receiver(put.to, target).first_free(later, length);
      later = direction(put).first_free(later, length);
      if (put.is_diagonal) later = diagonals(put.from).first_free(later, length);
      if (later == begin) return {source, target, begin, begin + length};
      begin = later;
    }
  }

  void use(const Put& put, const PlacedPut& at) {
    sender(put.from, at.source_engine).use(at.begins, at.ends);
    receiver(put.to, at.target_engine).use(at.begins, at.ends);
    direction(put).use(at.begins, at.ends);
    if (put.is_diagonal) diagonals(put.from).use(at.begins, at.ends);
  }

  Timetable& sender(int node, int engine) { return senders_[static_cast<std::size_t>(node * engines_.count + engine)]; }
  Timetable& receiver(int node, int engine) {
    return receivers_[static_cast<std::size_t>(node * engines_.count + engine)];
  }
  Timetable& diagonals(int node) { return diagonals_[static_cast<std::size_t>(node)]; }
  Timetable& direction(const Put& put) { return directions_[{put.from, put.direction}]; }

  const Engines& engines_;
  std::vector<Timetable> senders_, receivers_;  // by node and engine
  std::vector<Timetable> diagonals_;            // by node
  std::map<std::pair<int, int>, Timetable> directions_;
};

Engines at_once(Engines engines) {
  engines.stagger = 0;
  return engines;
}

Packing round_robin_at_once(const Exchange& exchange, const Engines& engines, int k) {
  return round_robin(exchange, at_once(engines), k);
}

Packing bottom_left_at_once(const Exchange& exchange, const Engines& engines, int k) {
  return bottom_left(exchange, at_once(engines), k);
}

}  // namespace

Packing round_robin(const Exchange& exchange, const Engines& engines, int k) {
  if (k < 1 || k > engines.count) throw std::invalid_argument("there are not that many engines to take turns");
  std::vector<int> turns(static_cast<std::size_t>(exchange.nodes));
  std::map<std::pair<int, int>, double> free_from;
  Packing packing;
  for (const Put& put : exchange.puts) {
    const int engine = turns[static_cast<std::size_t>(put.from)]++ % k;
    const auto [free, is_new] = free_from.try_emplace({put.from, engine}, engines.first_begin(engine));
    const double begins = free->second;
    free->second += engines.time_for(put, engine, engine);
    packing.placements.push_back({engine, engine, begins, free->second});
  }
  return packing;
}

Packing bottom_left(const Exchange& exchange, const Engines& engines, int k, PutOrder order) {
  if (k < 1) throw std::invalid_argument("no diagonal put could ever be sent");
  Board board(exchange, engines, k);
  Packing packing;
  packing.placements.resize(exchange.puts.size());
  for (const int put : in_order(exchange, order)) {
    const auto at = static_cast<std::size_t>(put);
    packing.placements[at] = board.place(exchange.puts[at]);
  }
  return packing;
}

Packing bottom_left_in_best_order(const Exchange& exchange, const Engines& engines, int k) {
  Packing longest = bottom_left(exchange, engines, k, PutOrder::longest_first);
  Packing shortest = bottom_left(exchange, engines, k, PutOrder::shortest_first);
  return shortest.length() < longest.length() ? shortest : longest;
}

std::string Packer::name() const { return std::string(family) + "(" + std::to_string(k) + ")"; }

std::vector<Packer> all_packers() {
  std::vector<Packer> packers;
  for (const int k : {1, 2, 4}) packers.push_back({"roundrobin", k, round_robin_at_once});
  for (const int k : {1, 2, 4}) packers.push_back({"bottomleft", k, bottom_left_at_once});
  for (const int k : {1, 2, 4}) packers.push_back({"bottomleft_late", k, bottom_left_in_best_order});
  return packers;
}

}  // namespace espalier::halo
