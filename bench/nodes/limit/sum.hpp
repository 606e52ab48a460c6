// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace bench {

// result = left + right, with the processor's widest registers. The result may be one of them.
void add(double* result, const double* left, const double* right, std::size_t count);

}  // namespace bench
