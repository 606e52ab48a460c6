// SPDX-License-Identifier: Apache-2.0
// What takes one rank too long, and all of them together not.
#pragma once

#include "core/types.hpp"

namespace espalier {

class SharedWork {
 public:
  SharedWork() = default;
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;
  virtual ~SharedWork() = default;

  // What comes of a rank's part becomes some of the numbers that are summed next; the others are 0 on that rank.
  virtual void do_part(Rank rank, Rank ranks) = 0;
};

}  // namespace espalier
