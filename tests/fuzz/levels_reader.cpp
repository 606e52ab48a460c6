// SPDX-License-Identifier: Apache-2.0
#include "levels/levels_reader.hpp"

#include "core/bad_description.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

const Registration registration("levels_reader", [](std::string_view text) {
  try {
    const NodeLevels node = levels_from_toml(text, "fuzz.toml");
    require(node.cores() >= 1 && node.cores() <= 4096, "as many cores as are allowed");
    require(node.level_between(0, node.cores() - 1) < node.levels().size(), "all cores meet on the node");
  } catch (const BadDescription&) {
  }
});

}  // namespace
}  // namespace espalier::fuzz
