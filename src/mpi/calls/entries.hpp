// SPDX-License-Identifier: Apache-2.0
// The functions that take the place of the MPI's, by their names. Each file of entry points adds its own when the
// library is loaded, before anybody asks for them.
#pragma once

#include <initializer_list>

#include "preload/backend.h"

namespace espalier {

template <class Function>
[[nodiscard]] EspalierEntry entry(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

struct Entries {
  Entries(std::initializer_list<EspalierEntry> more);
  // Ends with a null name.
  [[nodiscard]] static const EspalierEntry* all();
};

}  // namespace espalier
