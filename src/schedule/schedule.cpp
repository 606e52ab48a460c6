// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.hpp"

namespace espalier {

std::size_t Schedule::bytes() const {
  std::size_t listed = 0;
  for (const auto& list : lists) listed += sizeof *list + list->size() * sizeof(std::int32_t);
  return sizeof *this + operations.size() * sizeof(Operation) + dependencies.size() * sizeof(Dependency) +
         areas.size() * sizeof(Area) + listed;
}

}  // namespace espalier
