// SPDX-License-Identifier: Apache-2.0
// Tofu's ten links of a node. A message goes along X, Y and Z, whose ends are not joined, then to its place in the
// group of twelve, along a, b and c.
#pragma once

#include "simulate/wiring.hpp"

namespace espalier {

// Whether its nodes fill a box in all six coordinates.
[[nodiscard]] bool is_whole_tofu(const Machine& machine);

class TofuWiring : public Wiring {
 public:
  explicit TofuWiring(const Machine& machine);
  void route(int from, int from_port, int to, int to_port, std::vector<int>& links) const override;

 private:
  [[nodiscard]] int number_of(const TofuPlace& place) const;

  const std::vector<TofuPlace>& places_;
  TofuPlace first_{}, extents_{};
  std::vector<std::array<int, 12>> link_of_;  // by place: along each axis, up and down; no_link
};

}  // namespace espalier
