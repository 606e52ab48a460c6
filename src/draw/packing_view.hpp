// SPDX-License-Identifier: Apache-2.0
// Puts on engines over time, as a Gantt chart. (Paper 3, figures 1 to 11.)
#pragma once

#include <string>
#include <string_view>

#include "halo/packing.hpp"

namespace espalier {

struct PackingSubject {
  std::string title, subtitle;
  const halo::Exchange* exchange = nullptr;
  const halo::Engines* engines = nullptr;
  const halo::Packing* packing = nullptr;
  int node = 0;  // whose puts are drawn
};

// A line for each engine; a letter for each direction, small and capital ones in turn where puts follow each other.
[[nodiscard]] std::string draw_packing_text(const PackingSubject& subject, int columns = 64);

[[nodiscard]] std::string draw_packing_svg(const PackingSubject& subject);

}  // namespace espalier
