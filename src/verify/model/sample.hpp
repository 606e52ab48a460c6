// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// One of the forms in which a message may be cut, and how many items of an operation are under way at once.
struct Sample {
  int segments = 1;  // of each block
  int window = 1;
  bool is_uneven = false;  // blocks have different sizes, of none to `segments` + 1 segments
};

}  // namespace espalier
