// SPDX-License-Identifier: Apache-2.0
// Where intercepted calls go: the trampolines' slots.
#pragma once

namespace espalier {

// From here on no slot remembers its function: each call is sent on by who makes it. Slow (a look-up per call), and
// only needed once the program uses more than one MPI library.
void resolve_every_call();

}  // namespace espalier
