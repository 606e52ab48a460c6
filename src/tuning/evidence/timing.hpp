// SPDX-License-Identifier: Apache-2.0
// How long one call took.
#pragma once

namespace espalier::tuning {

struct Timing {
  int candidate = 0;
  double log_seconds = 0;
  bool after_another = false;  // the call before was of another candidate
  double part = 0;             // of a run of calls that overlap; 0: none do
};

}  // namespace espalier::tuning
