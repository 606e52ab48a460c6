// SPDX-License-Identifier: Apache-2.0
// The policies that play against each other.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "selection/instances.hpp"
#include "tuning/tuner.hpp"

namespace espalier::selection {

struct Policy {
  const char* name;
  std::function<std::unique_ptr<tuning::Tuner>(const Instance&)> make;
  bool asks_kin = false;  // it enters with what contexts of other sizes have learnt
};

[[nodiscard]] std::span<const Policy> policies();

}  // namespace espalier::selection
