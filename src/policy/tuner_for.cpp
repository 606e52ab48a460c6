// SPDX-License-Identifier: Apache-2.0
#include "policy/tuner_for.hpp"

#include "tuning/race.hpp"
#include "tuning/star.hpp"

namespace espalier {

namespace {

std::unique_ptr<tuning::Tuner> race(const TuningSettings& settings, std::span<const Alternative> alternatives,
                                    const TuningStart& start) {
  std::vector<tuning::Estimate> estimates;
  for (const Alternative& alternative : alternatives) {
    estimates.push_back(alternative.estimate);
    estimates.back().set_up_seconds /= start.run;
  }
  tuning::Assumptions assumptions;
  assumptions.budget = settings.budget;
  assumptions.remaining = start.room;
  if (start.calls_overlap) assumptions = tuning::for_overlapping_calls(assumptions);
  if (start.run > 1) assumptions = tuning::for_runs_of_calls(assumptions, start.run, start.calls_before);
  return std::make_unique<tuning::Race>(estimates, start.first, assumptions);
}

}  // namespace

std::unique_ptr<tuning::Tuner> tuner_for(const TuningSettings& settings, std::span<const Alternative> alternatives,
                                         const TuningStart& start) {
  const auto count = static_cast<int>(alternatives.size());
  switch (settings.policy) {
    case TuningPolicy::star: return std::make_unique<tuning::Star>(count);
    case TuningPolicy::star_by_winner:
      return std::make_unique<tuning::Star>(count, tuning::plain_rounds_of_star,
                                            tuning::Monitoring{.compared_with = tuning::ComparedWith::winner});
    case TuningPolicy::adcl: return std::make_unique<tuning::InTurn>(count, tuning::rounds_of_adcl);
    case TuningPolicy::intel: return std::make_unique<tuning::InTurn>(count, tuning::rounds_of_intel);
    case TuningPolicy::race:
    case TuningPolicy::estimate: break;
  }
  return race(settings, alternatives, start);
}

}  // namespace espalier
