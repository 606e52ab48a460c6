// SPDX-License-Identifier: Apache-2.0
#include "select/forced.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

void run(std::string_view text) {
  Settings settings;
  if (!force(text, settings).empty()) return require(settings.algorithms.empty(), "what was refused has an effect");
  Settings again;
  require(force(format_choices(settings.algorithms), again).empty(), "a choice is refused once it was written");
  require(again.algorithms == settings.algorithms, "a choice is another one once it was written");
}

const Registration registration("forced_algorithms", run);

}  // namespace
}  // namespace espalier::fuzz
