// SPDX-License-Identifier: Apache-2.0
// The extents after --torus and --mesh.
#include "machine_checks.hpp"
#include "settings/number.hpp"
#include "settings/words.hpp"
#include "target.hpp"
#include "tool/networks.hpp"

namespace espalier::fuzz {
namespace {

constexpr std::size_t few_places = 10000, max_places = 1 << 20;

// Those that are allowed, but rightly take seconds to make.
bool has_many_places(const std::string& extents) {
  std::size_t places = 1;
  for (const std::string_view word : split(extents, 'x')) {
    const auto extent = parse_number(word);
    if (!extent || *extent > max_places || (places *= *extent) > max_places) return false;
  }
  return places > few_places;
}

void run(std::string_view text) try {
  const std::string extents(text.substr(0, text.find('\0')));
  if (extents.empty() || has_many_places(extents)) return;
  check_machine(tool::requested_machine({.torus = extents, .mesh = {}, .topology = {}}));
  check_machine(tool::requested_machine({.torus = {}, .mesh = extents, .topology = {}}));
} catch (const tool::BadRequest& bad) {
  require(std::string_view(bad.what()).find("allowed") != std::string_view::npos, "a refusal says not what is allowed");
}

const Registration registration("lattice_words", run);

}  // namespace
}  // namespace espalier::fuzz
