// SPDX-License-Identifier: Apache-2.0
#include "tool/loads.hpp"

#include <cmath>

#include "core/bad_description.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

const Machine machine = {.nodes = {{"n0"}, {"n1"}, {"n2"}}};

void run(std::string_view text) try {
  for (const auto& [ends, bytes] : tool::loads_in(text, "file", machine)) {
    const auto is_node = [](int node) { return node >= 0 && node < static_cast<int>(machine.nodes.size()); };
    require(is_node(ends.first) && is_node(ends.second), "a load is on no link");
    require(bytes >= 0 && std::isfinite(bytes), "a load is no number of bytes");
  }
} catch (const BadDescription& bad) {
  require(std::string_view(bad.what()).starts_with("file:"), "a refusal does not say where");
}

const Registration registration("loads", run);

}  // namespace
}  // namespace espalier::fuzz
