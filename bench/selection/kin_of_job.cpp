// SPDX-License-Identifier: Apache-2.0
#include "selection/kin_of_job.hpp"

#include <cmath>

#include "tuning/kin.hpp"

namespace espalier::selection {

std::vector<tuning::Estimate> KinOfJob::expected(const RecordedContext& context) const {
  const auto entered = [&](std::size_t a) {
    return tuning::Estimate{context.instance.estimates[a], context.instance.estimate_error};
  };
  std::vector<tuning::Estimate> estimates{entered(0)};
  std::vector<tuning::KinTiming> kin;
  for (std::size_t a = 1; a < context.names.size(); ++a) {
    kin.clear();
    for (const Learnt& each : learnt_) {
      if (each.job != context.job || each.collective != context.collective || each.candidate != context.names[a])
        continue;
      const double ratio = static_cast<double>(each.bytes) / static_cast<double>(context.bytes);
      kin.push_back({.log2_size = std::log2(ratio), .log_ratio = each.log_ratio, .sd = each.sd});
    }
    estimates.push_back(tuning::expect_by_kin(entered(a), entered(0), kin));
  }
  return estimates;
}

void KinOfJob::learn(const RecordedContext& context, const tuning::Tuner& tuner) {
  const tuning::Opinion native = tuner.opinion(0);
  if (native.seconds <= 0) return;
  for (std::size_t a = 1; a < context.names.size(); ++a) {
    const tuning::Opinion its = tuner.opinion(static_cast<int>(a));
    if (its.seconds <= 0) continue;
    learnt_.push_back({.job = context.job,
                       .collective = context.collective,
                       .candidate = context.names[a],
                       .bytes = context.bytes,
                       .log_ratio = std::log(its.seconds / native.seconds),
                       .sd = std::hypot(its.sd, native.sd)});
  }
}

}  // namespace espalier::selection
