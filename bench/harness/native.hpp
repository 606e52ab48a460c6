// SPDX-License-Identifier: Apache-2.0
// The MPI's own functions, called past Espalier: the benchmark's baseline must not go through what it measures.
#pragma once

#include "native/native.hpp"

namespace bench {

// Looked up in the MPI library itself. Ends the program with a message if that is not possible.
[[nodiscard]] const espalier::Native& native();

}  // namespace bench
