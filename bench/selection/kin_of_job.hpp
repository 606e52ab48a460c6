// SPDX-License-Identifier: Apache-2.0
// What the contexts of a job have learnt, for others of the same collective.
#pragma once

#include <string>
#include <vector>

#include "selection/recorded.hpp"
#include "tuning/tuner.hpp"

namespace espalier::selection {

class KinOfJob {
 public:
  // Of each candidate of the context: what is expected of it.
  [[nodiscard]] std::vector<tuning::Estimate> expected(const RecordedContext& context) const;
  void learn(const RecordedContext& context, const tuning::Tuner& tuner);

 private:
  struct Learnt {
    std::string job, collective, candidate;
    std::size_t bytes = 0;
    double log_ratio = 0, sd = 0;
  };
  std::vector<Learnt> learnt_;
};

}  // namespace espalier::selection
