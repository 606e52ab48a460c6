// SPDX-License-Identifier: Apache-2.0
// What Espalier says of itself, if it is preloaded under this program. The programs also run without it: everything is
// native then, and nothing is expected of Espalier.
#pragma once

#include <string>

#include "core/types.hpp"

namespace espalier::apps {

struct CallCounts {
  unsigned long long own = 0;
  unsigned long long native = 0;
};

[[nodiscard]] bool is_preloaded();
[[nodiscard]] bool is_active();
// Do the program's calls of this collective come to Espalier first?
[[nodiscard]] bool is_intercepted(Collective collective);
// As espalier_force(). Empty text: it is in force, or Espalier is not preloaded.
[[nodiscard]] std::string force(const std::string& setting);
// Of this process so far; zeros if Espalier is not preloaded.
[[nodiscard]] CallCounts calls(Collective collective);
[[nodiscard]] CallCounts all_calls();

}  // namespace espalier::apps
