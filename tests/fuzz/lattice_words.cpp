// SPDX-License-Identifier: Apache-2.0
// The extents after --torus and --mesh.
#include "machine_checks.hpp"
#include "target.hpp"
#include "tool/networks.hpp"

namespace espalier::fuzz {
namespace {

constexpr std::size_t most_nodes = 10000;  // to look at each

void check(const tool::NetworkOptions& options) {
  const Machine machine = tool::requested_machine(options);
  if (machine.nodes.size() <= most_nodes) check_machine(machine);
}

void run(std::string_view text) try {
  const std::string extents(text.substr(0, text.find('\0')));
  if (extents.empty()) return;
  check({.torus = extents, .mesh = {}, .topology = {}});
  check({.torus = {}, .mesh = extents, .topology = {}});
} catch (const tool::BadRequest& bad) {
  require(std::string_view(bad.what()).find("allowed") != std::string_view::npos, "a refusal says not what is allowed");
}

const Registration registration("lattice_words", run);

}  // namespace
}  // namespace espalier::fuzz
