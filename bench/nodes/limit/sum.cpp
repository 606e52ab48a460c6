// SPDX-License-Identifier: Apache-2.0
#include "sum.hpp"

#if defined(__x86_64__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define WIDEST
#endif

namespace bench {

WIDEST void add(double* result, const double* left, const double* right, std::size_t count) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) result[i] = left[i] + right[i];
}

}  // namespace bench
