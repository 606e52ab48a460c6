// SPDX-License-Identifier: Apache-2.0
#include "halo/lane_packers.hpp"

#include <algorithm>

#include "halo/fastest.hpp"
#include "halo/packers.hpp"

namespace espalier::halo {

namespace {

constexpr std::string_view by_evenness = "even", over_all = "striped", by_search = "fastest";
// What gains less is not worth another packer. Where the puts of one node alone are known, others will meet them at
// their receivers, of which the model knows nothing: what seemed 3 to 9% faster there was up to 12% slower on the wire.
double near_enough_for(const Exchange& exchange) {
  const int first = exchange.puts.empty() ? 0 : exchange.puts.front().from;
  const bool is_of_one = std::ranges::all_of(exchange.puts, [&](const Put& put) { return put.from == first; });
  return is_of_one ? 1.1 : 1.02;
}

// Which of them takes the least time; the first of those that take about as long.
class Quickest {
 public:
  Quickest(const Exchange& exchange, const Engines& nics)
      : exchange_(exchange), nics_(nics), near_enough_(near_enough_for(exchange)) {}

  void consider(std::string_view packer, Lanes lanes) {
    const double time = time_of(lanes, exchange_, nics_);
    if (!best_.packer.empty() && near_enough_ * time >= time_) return;
    best_ = {.packer = std::string(packer), .lanes = std::move(lanes)};
    time_ = time;
  }
  // Where nothing is left to be gained, nothing is searched.
  [[nodiscard]] bool is_near_the_bound() const { return time_ <= near_enough_ * even_share(exchange_, nics_); }
  [[nodiscard]] PackedLanes take() { return std::move(best_); }

 private:
  const Exchange& exchange_;
  const Engines& nics_;
  const double near_enough_;
  PackedLanes best_;
  double time_ = 0;
};

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
  if (packer == by_search) return fastest_lanes(exchange, nics, piece_bytes).lanes;
  for (const Packer& known : all_packers()) {
    if (known.name() == packer) return lanes_of(known.pack(exchange, nics, std::min(known.k, nics.count)));
  }
  return {};
}

PackedLanes fastest_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes) {
  Quickest quickest(exchange, nics);
  PackedLanes known = quickest_lanes(exchange, nics, piece_bytes);
  quickest.consider(known.packer, std::move(known.lanes));
  if (!quickest.is_near_the_bound()) quickest.consider(by_search, lanes_of(fastest_packing(exchange, nics, {})));
  return quickest.take();
}

PackedLanes quickest_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes) {
  Quickest quickest(exchange, nics);
  quickest.consider(by_evenness, even_lanes(exchange, nics, piece_bytes));
  if (quickest.is_near_the_bound()) return quickest.take();
  for (const std::string& packer : lane_packers()) {
    if (packer != by_evenness && packer != by_search)
      quickest.consider(packer, *lanes_by(packer, exchange, nics, piece_bytes));
  }
  return quickest.take();
}

}  // namespace espalier::halo
