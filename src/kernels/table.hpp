// SPDX-License-Identifier: Apache-2.0
// All kernels of one instruction set.
#pragma once

#include "kernels/kernels.hpp"

namespace espalier {

struct KernelTable {
  Reduction::Kernel functions[operator_count][element_type_count] = {};

  [[nodiscard]] constexpr Reduction::Kernel& at(Operator operation, ElementType type) {
    return functions[static_cast<std::size_t>(operation)][static_cast<std::size_t>(type)];
  }
};

extern const KernelTable baseline_kernels;
extern const KernelTable avx2_kernels;    // x86-64 only
extern const KernelTable avx512_kernels;  // x86-64 only

}  // namespace espalier
