// SPDX-License-Identifier: Apache-2.0
#include "kernels/loops.hpp"

namespace espalier {
constinit const KernelTable avx512_kernels = all_kernels();
}  // namespace espalier
