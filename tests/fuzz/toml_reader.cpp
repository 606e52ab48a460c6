// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/toml_reader.hpp"

#include "machine_checks.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

const Registration registration("toml_reader", [](std::string_view text) { check_reader(machine_from_toml, text); });

}  // namespace
}  // namespace espalier::fuzz
