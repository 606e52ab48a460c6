// SPDX-License-Identifier: Apache-2.0
// A program's first calls find their memory in place. Otherwise they would be the first to use pages of ours: each of
// these costs a microsecond then, and a hundred where a virtual machine has yet to get it from its host.
#pragma once

namespace espalier {

// Once all is set up. Where the system cannot do it (Linux before 5.14), the pages come as they are used.
void prefault() noexcept;

}  // namespace espalier
