// SPDX-License-Identifier: Apache-2.0
// What holds for everything that turns a text into a Machine.
#pragma once

#include <string>
#include <string_view>

#include "topology/machine.hpp"

namespace espalier::fuzz {

// What a Machine must hold, since nobody checks it again (CONTRIBUTING.md).
void check_machine(const Machine& machine);

// A text becomes such a machine, the same each time; or it is refused by a BadDescription that says where and why.
void check_reader(Machine (*read)(std::string_view text, const std::string& file), std::string_view text);

}  // namespace espalier::fuzz
