// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace espalier {

// Something that this process cannot have of libfabric: what, and why.
class NoFabric : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace espalier
