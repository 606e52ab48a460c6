// SPDX-License-Identifier: Apache-2.0
// The one target of this program under libFuzzer. What it throws ends the program, which libFuzzer takes for a crash.
#include <cstdint>

#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  espalier::fuzz::targets().front().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
