// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/host_file.hpp"

#include <algorithm>

#include "target.hpp"

namespace espalier::fuzz {
namespace {

const Machine machine = {.nodes = {{"n0"}, {"n1"}, {"n02"}, {"a.b"}}};

void run(std::string_view text) try {
  const std::vector<int> nodes = nodes_of_ranks(text, "file", machine);
  require(!nodes.empty(), "there is no rank");
  const auto is_node = [](int node) { return node >= 0 && node < static_cast<int>(machine.nodes.size()); };
  require(std::ranges::all_of(nodes, is_node), "a rank is on no node");
} catch (const BadDescription& bad) {
  require(std::string_view(bad.what()).starts_with("file:"), "a refusal does not say where");
}

const Registration registration("host_file", run);

}  // namespace
}  // namespace espalier::fuzz
