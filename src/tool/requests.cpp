// SPDX-License-Identifier: Apache-2.0
#include "tool/requests.hpp"

#include "select/forced.hpp"
#include "settings/number.hpp"
#include "settings/site/layers.hpp"
#include "settings/words.hpp"

namespace espalier::tool {

Settings current_settings() {
  ParsedSettings parsed = checked_settings(layered_settings(process_environment()));
  if (!parsed.ok()) throw BadRequest(parsed.error);
  return std::move(parsed.settings);
}

Collective requested_collective(const std::string& name) {
  if (const auto collective = collective_named(name)) return *collective;
  throw BadRequest(no_collective(name));
}

std::string full_name(const Algorithm& algorithm) {
  return std::string(name_of(algorithm.collective)) + ":" + std::string(algorithm.name);
}

const Algorithm& requested_algorithm(const std::string& name) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : registry()) {
    names.push_back(full_name(algorithm));
    if (names.back() == name) return algorithm;
  }
  // The name alone, of the first collective that has it.
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.name == name) return algorithm;
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  throw BadRequest("there is no '" + name + "'; " + advice(name, views));
}

std::size_t requested_size(const std::string& option, const std::string& text) {
  if (const auto size = parse_size(text)) return *size;
  throw BadRequest(option + " " + text + ": not a size; allowed: a whole number of bytes, or of KiB, MiB or GiB");
}

void check_root(Rank root, Rank ranks) {
  if (root >= 0 && root < ranks) return;
  throw BadRequest("--root " + std::to_string(root) + ": no such rank; allowed: 0 to " + std::to_string(ranks - 1));
}

SweepCase case_of(const Algorithm& algorithm, const Shape& shape, Rank root, bool in_place, int pieces, int radix,
                  int leaders) {
  const Case problem{.collective = algorithm.collective,
                     .size = shape.size,
                     .root = root,
                     .in_place = in_place ? Case::InPlaceAt::all : Case::InPlaceAt::none};
  return {.algorithm = &algorithm,
          .problem = problem,
          .pieces = pieces,
          .radix = radix,
          .leaders = leaders,
          .network = shape.network,
          .by_node = shape.by_node};
}

}  // namespace espalier::tool
