// SPDX-License-Identifier: Apache-2.0
// A program's first calls find their memory in place. Otherwise they would be the first to use pages of ours: each of
// these costs a microsecond then, and a hundred where a virtual machine has yet to get it from its host.
#pragma once

namespace espalier {

// Once all is set up. By this rank alone: nobody is asked, and nothing is decided, counted or remembered.
void prefault() noexcept;

}  // namespace espalier
