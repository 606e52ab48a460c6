// SPDX-License-Identifier: Apache-2.0
#include "halo/lanes.hpp"

#include <algorithm>
#include <numeric>

#include "halo/running_time.hpp"

namespace espalier::halo {

namespace {

double rate_of_all(const Engines& nics) {
  double rate = 0;
  for (int nic = 0; nic < nics.count; ++nic) rate += nics.rate(nic);
  return rate;
}

// Seconds, or whatever the rates count in, that each NIC of each node has to send and to receive for.
class NicLoads {
 public:
  NicLoads(const Exchange& exchange, const Engines& nics)
      : nics_(nics),
        rate_of_all_(rate_of_all(nics)),
        out_(static_cast<std::size_t>(exchange.nodes * nics.count)),
        in_(static_cast<std::size_t>(exchange.nodes * nics.count)) {}

  void add(const Put& put, int nic) {
    if (nic != Lanes::all) return add(put, nic, static_cast<double>(put.bytes) / nics_.rate(nic));
    for (int each = 0; each < nics_.count; ++each) add(put, each, static_cast<double>(put.bytes) / rate_of_all_);
  }
  // With the put, at the end that has more to do.
  [[nodiscard]] double with(const Put& put, int nic) const {
    const double more = static_cast<double>(put.bytes) / nics_.rate(nic);
    return std::max(out_[at(put.from, nic)], in_[at(put.to, nic)]) + more;
  }
  // How many times as long the fullest NIC of a node takes as if they shared it evenly, at worst. Nodes that have no
  // more than about half of what the fullest one has can wait.
  [[nodiscard]] double unevenness() const {
    constexpr double can_wait = .51;
    double most = 0, worst = 1;
    for_each_node([&](double share, double) { most = std::max(most, share); });
    for_each_node([&](double share, double longest) {
      if (share > can_wait * most) worst = std::max(worst, longest / share);
    });
    return worst;
  }
  [[nodiscard]] double fullest() const { return std::max(std::ranges::max(out_), std::ranges::max(in_)); }

 private:
  // Calls work(what its NICs would take if they shared it evenly, what the fullest one takes), in each direction.
  template <class Work>
  void for_each_node(Work work) const {
    const auto count = static_cast<std::size_t>(nics_.count);
    for (const std::vector<double>* const side : {&out_, &in_}) {
      for (std::size_t first = 0; first < side->size(); first += count) {
        double bytes = 0, longest = 0;
        for (std::size_t nic = 0; nic < count; ++nic) {
          bytes += (*side)[first + nic] * nics_.rate(static_cast<int>(nic));
          longest = std::max(longest, (*side)[first + nic]);
        }
        work(bytes / rate_of_all_, longest);
      }
    }
  }
  [[nodiscard]] std::size_t at(int node, int nic) const { return static_cast<std::size_t>(node * nics_.count + nic); }
  void add(const Put& put, int nic, double time) {
    out_[at(put.from, nic)] += time;
    in_[at(put.to, nic)] += time;
  }

  const Engines& nics_;
  const double rate_of_all_;
  std::vector<double> out_, in_;
};

// Puts of which no two have a sender or a receiver in common: sent at once by one NIC of each node, they do not meet.
// The longest ones first, and of those as long first what each node names first: so the neighbours in one direction of
// a grid go together.
using Matching = std::vector<int>;
std::vector<Matching> matchings_of(const Exchange& exchange) {
  const auto put = [&](int number) -> const Put& { return exchange.puts[static_cast<std::size_t>(number)]; };
  std::vector<int> order(exchange.puts.size()), turn(exchange.puts.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> named(static_cast<std::size_t>(exchange.nodes));
  for (const int number : order)
    turn[static_cast<std::size_t>(number)] = named[static_cast<std::size_t>(put(number).from)]++;
  std::ranges::stable_sort(order, [&](int a, int b) {
    if (put(a).bytes != put(b).bytes) return put(a).bytes > put(b).bytes;
    return turn[static_cast<std::size_t>(a)] < turn[static_cast<std::size_t>(b)];
  });
  struct Ends {
    explicit Ends(int nodes) : sends(static_cast<std::size_t>(nodes)), receives(static_cast<std::size_t>(nodes)) {}
    std::vector<char> sends, receives;
  };
  std::vector<Matching> matchings;
  std::vector<Ends> taken;
  for (const int number : order) {
    const auto from = static_cast<std::size_t>(put(number).from), to = static_cast<std::size_t>(put(number).to);
    std::size_t k = 0;
    while (k < taken.size() && (taken[k].sends[from] != 0 || taken[k].receives[to] != 0)) ++k;
    if (k == taken.size()) {
      taken.emplace_back(exchange.nodes);
      matchings.emplace_back();
    }
    taken[k].sends[from] = taken[k].receives[to] = 1;
    matchings[k].push_back(number);
  }
  return matchings;
}

bool is_longer_than(const Matching& matching, const Exchange& exchange, std::size_t bytes) {
  return std::ranges::any_of(matching,
                             [&](int put) { return exchange.puts[static_cast<std::size_t>(put)].bytes > bytes; });
}

// The first `striped` of them over all NICs, the others each by one.
Lanes distributed(const Exchange& exchange, const Engines& nics, const std::vector<Matching>& matchings,
                  std::size_t striped) {
  Lanes lanes{.of_puts = std::vector<int>(exchange.puts.size(), Lanes::all), .order = {}};
  NicLoads loads(exchange, nics);
  for (std::size_t k = 0; k < matchings.size(); ++k) {
    const auto time_by = [&](int nic) {
      double time = 0;
      for (const int put : matchings[k])
        time = std::max(time, loads.with(exchange.puts[static_cast<std::size_t>(put)], nic));
      return time;
    };
    int best = Lanes::all;
    for (int nic = 0; nic < nics.count && k >= striped; ++nic) {
      if (best == Lanes::all || time_by(nic) < time_by(best)) best = nic;
    }
    for (const int put : matchings[k]) {
      lanes.of_puts[static_cast<std::size_t>(put)] = best;
      lanes.order.push_back(put);
      loads.add(exchange.puts[static_cast<std::size_t>(put)], best);
    }
  }
  return lanes;
}

NicLoads loads_of(const Lanes& lanes, const Exchange& exchange, const Engines& nics) {
  NicLoads loads(exchange, nics);
  for (std::size_t k = 0; k < exchange.puts.size(); ++k) loads.add(exchange.puts[k], lanes.of_puts[k]);
  return loads;
}

}  // namespace

Lanes even_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes) {
  constexpr double near_enough = 1.02;
  const std::vector<Matching> matchings = matchings_of(exchange);
  const auto in_pieces = static_cast<std::size_t>(std::ranges::count_if(
      matchings, [&](const Matching& matching) { return is_longer_than(matching, exchange, piece_bytes); }));
  const double enough = near_enough * even_share(exchange, nics);
  Lanes best = distributed(exchange, nics, matchings, 0);
  double time = fullest_nic(best, exchange, nics), uneven = loads_of(best, exchange, nics).unevenness();
  for (std::size_t striped = 1; striped <= in_pieces && (time > enough || uneven > near_enough); ++striped) {
    Lanes lanes = distributed(exchange, nics, matchings, striped);
    const double other = fullest_nic(lanes, exchange, nics), unevenness = loads_of(lanes, exchange, nics).unevenness();
    if (other > near_enough * time || unevenness >= uneven) continue;
    time = other;
    uneven = unevenness;
    best = std::move(lanes);
  }
  return best;
}

Lanes striped_lanes(const Exchange& exchange, const Engines& nics) {
  return distributed(exchange, nics, matchings_of(exchange), exchange.puts.size());
}

Lanes lanes_of(const Packing& packing) {
  Lanes lanes{.of_puts = {}, .order = std::vector<int>(packing.placements.size())};
  for (const PlacedPut& placement : packing.placements) lanes.of_puts.push_back(placement.source_engine);
  std::iota(lanes.order.begin(), lanes.order.end(), 0);
  std::ranges::stable_sort(lanes.order, {},
                           [&](int put) { return packing.placements[static_cast<std::size_t>(put)].begins; });
  return lanes;
}

double time_of(const Lanes& lanes, const Exchange& exchange, const Engines& nics) {
  Exchange in_parts{.nodes = exchange.nodes, .links = exchange.links, .puts = {}, .directions = {}};
  Packing packing;
  const auto add = [&](const Put& put, int nic) {
    const auto turn = static_cast<double>(packing.placements.size());
    in_parts.puts.push_back(put);
    packing.placements.push_back({.source_engine = nic, .target_engine = nic, .begins = turn, .ends = turn});
  };
  for (const int number : lanes.order) {
    const auto at = static_cast<std::size_t>(number);
    const Put& put = exchange.puts[at];
    if (lanes.of_puts[at] != Lanes::all) {
      add(put, lanes.of_puts[at]);
      continue;
    }
    for (int nic = 0; nic < nics.count; ++nic) {
      Put part = put;
      part.bytes = static_cast<std::size_t>(static_cast<double>(put.bytes) * nics.rate(nic) / rate_of_all(nics));
      add(part, nic);
    }
  }
  return running_time(packing, in_parts, nics, {});
}

double fullest_nic(const Lanes& lanes, const Exchange& exchange, const Engines& nics) {
  return loads_of(lanes, exchange, nics).fullest();
}

double even_share(const Exchange& exchange, const Engines& nics) {
  return fullest_nic({.of_puts = std::vector<int>(exchange.puts.size(), Lanes::all), .order = {}}, exchange, nics);
}

}  // namespace espalier::halo
