// SPDX-License-Identifier: Apache-2.0
// The ways in which each collective is tried: every algorithm of the registry, cut in different ways, and whatever is
// chosen when nothing is forced.
#pragma once

#include <string>
#include <vector>

#include "select/selector.hpp"

namespace espalier::apps {

struct Variant {
  std::string setting;                   // for espalier_force()
  const Algorithm* algorithm = nullptr;  // null: nothing is forced
  Selector selector;                     // decides as the library should

  [[nodiscard]] std::string name() const { return algorithm == nullptr ? "not forced" : setting; }
};

// `few`: two ways to cut messages for each algorithm.
[[nodiscard]] std::vector<Variant> variants_of(Collective collective, bool few);

}  // namespace espalier::apps
