// SPDX-License-Identifier: Apache-2.0
// The NICs of a host as the engines that packers know.
#pragma once

#include "halo/exchange.hpp"
#include "transport/fabric/fabric.hpp"

namespace espalier {

// All that this rank opened. The k-th of a host reaches the k-th of the others.
[[nodiscard]] inline halo::Engines nics_of(Fabric& fabric) {
  const std::size_t lanes = fabric.lanes().size();
  halo::Engines nics{.count = static_cast<int>(lanes), .rates = {}, .are_rails = true};
  for (std::size_t lane = 0; lane < lanes; ++lane) nics.rates.push_back(fabric.nic(lane).rate);
  return nics;
}

}  // namespace espalier
