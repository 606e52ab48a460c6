// SPDX-License-Identifier: Apache-2.0
// What contexts like this one, but of other sizes, tell of a candidate before it has run here.
#pragma once

#include <span>

#include "tuning/candidate.hpp"

namespace espalier::tuning {

// A candidate's time over the native MPI's in such a context.
struct KinTiming {
  double log2_size = 0;  // of its bytes over those here
  double log_ratio = 0;
  double sd = 0;  // of that
};

// `own`: what the candidate enters with otherwise; `native`: what the native MPI does. Of the kin those of the next
// smaller and of the next larger size count: what is farther away tells nothing that these do not.
[[nodiscard]] Estimate expect_by_kin(const Estimate& own, const Estimate& native, std::span<const KinTiming> kin);

}  // namespace espalier::tuning
