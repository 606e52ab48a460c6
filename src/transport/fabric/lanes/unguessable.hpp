// SPDX-License-Identifier: Apache-2.0
// Numbers that nobody outside can guess.
#pragma once

#include "transport/fabric/wire/siphash.hpp"

namespace espalier {

// From the kernel. Throws NoFabric (no_fabric.hpp) if it has none.
[[nodiscard]] HashKey draw_key();

// As many as are wanted, without a question to the kernel for each.
class Unguessable {
 public:
  Unguessable() : key_(draw_key()) {}
  [[nodiscard]] std::uint64_t next() { return SipHash(key_).add(++drawn_).finish(); }

 private:
  const HashKey key_;
  std::uint64_t drawn_ = 0;
};

}  // namespace espalier
