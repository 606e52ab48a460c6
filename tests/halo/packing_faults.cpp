// SPDX-License-Identifier: Apache-2.0
#include "packing_faults.hpp"

namespace espalier::halo {

namespace {

bool overlap(const PlacedPut& a, const PlacedPut& b) { return a.begins < b.ends && b.begins < a.ends; }

std::string name_of(std::size_t put) { return "put " + std::to_string(put); }

std::string clash_of(std::size_t one, std::size_t other, const char* over) {
  return name_of(one) + " and " + name_of(other) + " are at the same time " + over;
}

std::string fault_of_pair(const Packing& packing, const Exchange& exchange, const Rules& rules, std::size_t one,
                          std::size_t other) {
  const PlacedPut &a = packing.placements[one], &b = packing.placements[other];
  const Put &first = exchange.puts[one], &second = exchange.puts[other];
  if (!overlap(a, b)) return {};
  if (first.from == second.from) {
    if (a.source_engine == b.source_engine) return clash_of(one, other, "on one sending engine");
    if (rules.one_of_a_direction && first.direction == second.direction) return clash_of(one, other, "on one link");
  }
  const bool same_receiver = first.to == second.to && a.target_engine == b.target_engine;
  if (rules.one_into_a_receiver && same_receiver) return clash_of(one, other, "on one receiving engine");
  return {};
}

// How many diagonal puts of its node are under way when this one begins.
int diagonals_at_begin(const Packing& packing, const Exchange& exchange, std::size_t put) {
  const double now = packing.placements[put].begins;
  int count = 0;
  for (std::size_t k = 0; k < exchange.puts.size(); ++k) {
    const PlacedPut& other = packing.placements[k];
    const bool counts = exchange.puts[k].is_diagonal && exchange.puts[k].from == exchange.puts[put].from;
    if (counts && other.begins <= now && now < other.ends) ++count;
  }
  return count;
}

std::string fault_of_one(const Packing& packing, const Exchange& exchange, const Engines& engines, const Rules& rules,
                         std::size_t put) {
  const PlacedPut& at = packing.placements[put];
  const auto is_engine = [&](int engine) { return 0 <= engine && engine < engines.count; };
  if (!is_engine(at.source_engine) || !is_engine(at.target_engine)) return name_of(put) + " has no such engine";
  if (at.begins < engines.first_begin(at.source_engine)) return name_of(put) + " begins before its engine can";
  const double least = engines.time_for(exchange.puts[put], at.source_engine, at.target_engine);
  if (at.ends - at.begins < least * (1 - 1e-9)) return name_of(put) + " takes less time than it must";
  const bool is_limited = rules.max_diagonals && exchange.puts[put].is_diagonal;
  if (is_limited && diagonals_at_begin(packing, exchange, put) > *rules.max_diagonals) {
    return name_of(put) + " is one diagonal too many";
  }
  return {};
}

}  // namespace

std::string fault_of(const Packing& packing, const Exchange& exchange, const Engines& engines, const Rules& rules) {
  if (packing.placements.size() != exchange.puts.size()) return "not every put has a place";
  for (std::size_t put = 0; put < exchange.puts.size(); ++put) {
    std::string fault = fault_of_one(packing, exchange, engines, rules, put);
    for (std::size_t other = 0; other < put && fault.empty(); ++other) {
      fault = fault_of_pair(packing, exchange, rules, other, put);
    }
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace espalier::halo
