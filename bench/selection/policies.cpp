// SPDX-License-Identifier: Apache-2.0
#include "selection/policies.hpp"

#include <algorithm>

#include "tuning/race.hpp"
#include "tuning/star.hpp"

namespace espalier::selection {

namespace {

int candidates_of(const Instance& instance) { return static_cast<int>(instance.candidates()); }

auto in_turn(const tuning::TimingRounds& rounds) {
  return
      [rounds](const Instance& instance) { return std::make_unique<tuning::InTurn>(candidates_of(instance), rounds); };
}

class Fixed : public tuning::Tuner {
 public:
  explicit Fixed(int candidate) {
    plan_.calls.assign(1, candidate);
    plan_.incumbent = candidate;
    plan_.permanently = true;
  }
  void learn(const tuning::Timings& /*timings*/) override {}
  [[nodiscard]] tuning::Opinion opinion(int /*candidate*/) const override { return {}; }
};

std::unique_ptr<tuning::Tuner> best_by_estimate(const Instance& instance) {
  const auto best = std::ranges::min_element(instance.estimates) - instance.estimates.begin();
  return std::make_unique<Fixed>(static_cast<int>(best));
}

std::unique_ptr<tuning::Tuner> race(const Instance& instance) {
  std::vector<tuning::Estimate> estimates;
  for (const double each : instance.estimates) estimates.push_back({each, instance.estimate_error});
  if (!instance.by_kin.empty()) estimates = instance.by_kin;
  return std::make_unique<tuning::Race>(estimates, 0);
}

const Policy all_policies[] = {
    {"native", [](const Instance&) { return std::make_unique<Fixed>(0); }},
    {"estimate", best_by_estimate},
    {"star", [](const Instance& instance) { return std::make_unique<tuning::Star>(candidates_of(instance)); }},
    {"adcl", in_turn(tuning::rounds_of_adcl)},
    {"intel", in_turn(tuning::rounds_of_intel)},
    {"race", race, true},
    {"race-alone", race},
};

}  // namespace

std::span<const Policy> policies() { return all_policies; }

}  // namespace espalier::selection
