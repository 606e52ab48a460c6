// SPDX-License-Identifier: Apache-2.0
#include "halo/lane_packers.hpp"

#include <algorithm>

#include "halo/fastest.hpp"
#include "halo/packers.hpp"

namespace espalier::halo {

namespace {

constexpr std::string_view by_evenness = "even", over_all = "striped", by_search = "fastest";
// What gains less is not worth another packer.
constexpr double near_enough = 1.02;

// Which of them takes the least time; the first of those that take about as long.
class Quickest {
 public:
  Quickest(const Exchange& exchange, const Engines& nics) : exchange_(exchange), nics_(nics) {}

  void consider(std::string_view packer, Lanes lanes) {
    const double time = time_of(lanes, exchange_, nics_);
    if (!best_.packer.empty() && near_enough * time >= time_) return;
    best_ = {.packer = std::string(packer), .lanes = std::move(lanes)};
    time_ = time;
  }
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] PackedLanes take() { return std::move(best_); }

 private:
  const Exchange& exchange_;
  const Engines& nics_;
  PackedLanes best_;
  double time_ = 0;
};

// Where nothing is left to be gained, nothing is searched.
bool is_near_the_bound(double time, const Exchange& exchange, const Engines& nics) {
  return time <= near_enough * even_share(exchange, nics);
}

Lanes searched_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes) {
  Quickest quickest(exchange, nics);
  PackedLanes known = quickest_lanes(exchange, nics, piece_bytes);
  quickest.consider(known.packer, std::move(known.lanes));
  if (!is_near_the_bound(quickest.time(), exchange, nics))
    quickest.consider(by_search, lanes_of(fastest_packing(exchange, nics, {})));
  return quickest.take().lanes;
}

}  // namespace

std::vector<std::string> lane_packers() {
  std::vector<std::string> names = {std::string(by_evenness), std::string(over_all)};
  for (const Packer& packer : all_packers()) names.push_back(packer.name());
  names.emplace_back(by_search);
  return names;
}

std::optional<Lanes> lanes_by(std::string_view packer, const Exchange& exchange, const Engines& nics,
                              std::size_t piece_bytes) {
  if (packer == by_evenness) return even_lanes(exchange, nics, piece_bytes);
  if (packer == over_all) return striped_lanes(exchange, nics);
  if (packer == by_search) return searched_lanes(exchange, nics, piece_bytes);
  for (const Packer& known : all_packers()) {
    if (known.name() == packer) return lanes_of(known.pack(exchange, nics, std::min(known.k, nics.count)));
  }
  return {};
}

PackedLanes quickest_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes) {
  Quickest quickest(exchange, nics);
  quickest.consider(by_evenness, even_lanes(exchange, nics, piece_bytes));
  if (is_near_the_bound(quickest.time(), exchange, nics)) return quickest.take();
  for (const std::string& packer : lane_packers()) {
    if (packer != by_evenness && packer != by_search)
      quickest.consider(packer, *lanes_by(packer, exchange, nics, piece_bytes));
  }
  return quickest.take();
}

}  // namespace espalier::halo
