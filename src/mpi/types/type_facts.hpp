// SPDX-License-Identifier: Apache-2.0
// How the elements of a datatype lie in memory, and how an executor can walk over them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

// In bytes, as MPI has them.
struct TypeFacts {
  std::int64_t size = 0;
  std::int64_t lower_bound = 0;
  std::int64_t extent = 0;
  std::int64_t true_lower_bound = 0;
  std::int64_t true_extent = 0;

  // Elements fill their memory without gaps or overlap, from the buffer's address on.
  [[nodiscard]] bool is_gapless() const {
    return size == extent && size == true_extent && lower_bound == 0 && true_lower_bound == 0;
  }
  friend bool operator==(const TypeFacts&, const TypeFacts&) = default;
};

// An executor sees elements at multiples of a stride, each within its stride. Most datatypes are like that; where
// one is not (elements are interleaved, or lie in descending order), the elements are staged in memory of ours.
struct ElementLayout {
  std::size_t stride_bytes = 0;
  std::ptrdiff_t bias_bytes = 0;  // from the address that MPI wants to the first byte of the element's stride
  bool staged = false;
  friend bool operator==(const ElementLayout&, const ElementLayout&) = default;
};

[[nodiscard]] ElementLayout layout_of(const TypeFacts& facts);

}  // namespace espalier
