// SPDX-License-Identifier: Apache-2.0
#include "differential/variants.hpp"

#include <stdexcept>

#include "algorithms/algorithm.hpp"
#include "select/forced.hpp"

namespace espalier::apps {

namespace {

Variant make_variant(const std::string& setting, const Algorithm* algorithm) {
  Settings settings;
  const std::string error = force(std::string_view(setting), settings);
  if (!error.empty()) throw std::logic_error(setting + ": " + error);
  return {setting, algorithm, Selector(settings)};
}

// The usual ones; segments that fit neither cache lines nor elements; uncut; many small ones under way.
std::vector<std::string> parameters_of(const Algorithm& algorithm, bool few) {
  if (algorithm.collective == Collective::barrier) return {""};
  std::vector<std::string> parameters = {"", ",segment=1000,window=2"};
  if (algorithm.takes_radix) parameters.emplace_back(",radix=3");
  if (few) return parameters;
  parameters.insert(parameters.end(), {",segment=0,window=1", ",segment=4KiB,window=7"});
  if (algorithm.takes_radix) parameters.emplace_back(",radix=5,segment=512");
  return parameters;
}

}  // namespace

std::vector<Variant> variants_of(Collective collective, bool few) {
  std::vector<Variant> variants = {make_variant("", nullptr)};
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != collective) continue;
    for (const std::string& parameters : parameters_of(algorithm, few)) {
      const std::string name = std::string(name_of(collective)) + ":" + std::string(algorithm.name);
      variants.push_back(make_variant(name + parameters, &algorithm));
    }
  }
  return variants;
}

}  // namespace espalier::apps
