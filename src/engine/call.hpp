// SPDX-License-Identifier: Apache-2.0
// The buffers and the arithmetic of one call, as an executor sees them.
#pragma once

#include <cstddef>

namespace espalier {

// target[i] = left[i] o right[i] for `elements` elements. `target` may be equal to `left` or to `right`; otherwise the
// three do not overlap. `context` is passed through (a user operation's handle, say).
struct Reduction {
  using Kernel = void (*)(void* target, const void* left, const void* right, std::size_t elements, const void* context);
  Kernel function = nullptr;
  const void* context = nullptr;

  void operator()(void* target, const void* left, const void* right, std::size_t elements) const {
    function(target, left, right, elements, context);
  }
};

// target[i] = source[i]. Null function: the elements are plain bytes, one after the other.
struct Copy {
  using Kernel = void (*)(void* target, const void* source, std::size_t elements, const void* context);
  Kernel function = nullptr;
  const void* context = nullptr;
};

// How the elements of a call lie in memory and what can be done with them. Fixed when a schedule is bound.
struct Elements {
  std::size_t stride_bytes = 1;  // from one element to the next, in user buffers and in scratch memory
  Reduction reduction;
  Copy copy;
};

// The two buffers may coincide (in place), or be null where a rank has none.
struct Buffers {
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
};

}  // namespace espalier
