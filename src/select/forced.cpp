// SPDX-License-Identifier: Apache-2.0
#include "select/forced.hpp"

#include "algorithms/algorithm.hpp"
#include "settings/table.hpp"
#include "settings/words.hpp"

namespace espalier {

namespace {

std::string unknown_algorithm(const ForcedChoice& choice) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective == choice.collective) names.push_back(algorithm.name);
  }
  names.insert(names.end(), {"native", "in-turn"});
  return std::string(name_of(choice.collective)) + " has no algorithm '" + choice.algorithm + "'; " +
         advice(choice.algorithm, names);
}

std::string check(const ForcedChoice& choice) {
  if (choice.native() || choice.in_turn()) {
    const bool plain = !choice.segment_bytes && !choice.window && !choice.radix && !choice.leaders && !choice.over &&
                       choice.arrange.empty();
    return plain ? "" : std::string(name_of(choice.collective)) + ":" + choice.algorithm + " takes no parameters";
  }
  const Algorithm* algorithm = find_algorithm(choice.collective, choice.algorithm);
  if (algorithm == nullptr) return unknown_algorithm(choice);
  if (choice.radix && !algorithm->takes_radix) {
    return std::string(name_of(choice.collective)) + ":" + choice.algorithm +
           " takes no radix; allowed: segment=SIZE, window=NUMBER";
  }
  if (!choice.arrange.empty() && algorithm->tree == nullptr) {
    return std::string(name_of(choice.collective)) + ":" + choice.algorithm +
           " has no tree in which ranks could be arranged; allowed: segment=SIZE, window=NUMBER";
  }
  if (!choice.arrange.empty() && choice.leaders) {
    return std::string(name_of(choice.collective)) + ":" + choice.algorithm +
           ": arrange concerns all ranks, and leaders are some; allowed: one of them";
  }
  if (swap_interval(choice.arrange) && choice.collective != Collective::bcast) {
    return "arrange=" + choice.arrange + " is for broadcasts; allowed for " + std::string(name_of(choice.collective)) +
           ": order, or the ranks by place: 0/3/2/1";
  }
  return {};
}

std::string check(std::span<const ForcedChoice> choices) {
  for (const ForcedChoice& choice : choices) {
    if (std::string error = check(choice); !error.empty()) return error;
  }
  return {};
}

}  // namespace

ParsedSettings checked_settings(std::span<const char* const> environment) {
  return checked_settings(parse_settings(environment));
}

ParsedSettings checked_settings(ParsedSettings parsed) {
  if (!parsed.ok()) return parsed;
  const std::string error = check(parsed.settings.algorithms);
  return error.empty() ? parsed : refused_settings(shown_with_value(algorithm_setting, parsed.settings) + ": " + error);
}

std::string force(std::string_view text, Settings& settings) {
  std::vector<ForcedChoice> choices;
  std::string error = parse_choices(text, choices);
  if (error.empty()) error = check(choices);
  if (error.empty()) settings.algorithms = std::move(choices);
  return error;
}

}  // namespace espalier
