// SPDX-License-Identifier: Apache-2.0
#include "select/choice_text.hpp"

#include "algorithms/algorithm.hpp"
#include "algorithms/unfit.hpp"
#include "select/network_choice.hpp"
#include "settings/number.hpp"

namespace espalier {

std::string parameters_of(const Choice& choice) {
  if (choice.native()) return {};
  std::string text = "window=" + std::to_string(choice.cut.window);
  if (choice.cut.segment_bytes > 0) text = "segment=" + format_size(choice.cut.segment_bytes) + "," + text;
  if (choice.algorithm->takes_radix) text += ",radix=" + std::to_string(choice.radix);
  if (choice.leaders > 0) text += ",leaders=" + std::to_string(choice.leaders);
  if (choice.transport == Transport::fabric) text += ",over=fabric";
  if (choice.by_arrival || choice.arrangement != nullptr) text += ",arranged";
  return text;
}

std::string text_of(const Choice& choice) {
  if (choice.native()) return "native";
  std::string text(choice.algorithm->name);
  text += ",segment=" + format_size(choice.cut.segment_bytes) + ",window=" + std::to_string(choice.cut.window);
  if (choice.algorithm->takes_radix) text += ",radix=" + std::to_string(choice.radix);
  if (choice.leaders > 0) text += ",leaders=" + std::to_string(choice.leaders);
  if (choice.transport == Transport::fabric) text += ",over=fabric";
  return text;
}

Choice choice_given(const ForcedChoice& given, const Algorithm& algorithm, const Problem& problem, const Shape& shape) {
  const Transport transport = given.over.value_or(shape.default_transport());
  const Shape over = shape.over(transport);
  Choice choice{.algorithm = &algorithm, .leaders = given.leaders.value_or(0), .transport = transport};
  choice.cut = cut_for(choice, problem, over, given.segment_bytes);
  if (given.window) choice.cut.window = *given.window;
  if (given.radix) choice.radix = *given.radix;
  return choice;
}

std::optional<Choice> choice_from(const std::string& text, const Problem& problem, const Shape& shape) {
  std::vector<ForcedChoice> parsed;
  const std::string setting = std::string(name_of(problem.collective)) + ":" + text;
  if (!parse_choices(setting, parsed).empty() || parsed.size() != 1) return std::nullopt;
  const ForcedChoice& given = parsed.front();
  if (!given.arrange.empty()) return std::nullopt;  // that was for one communicator
  if (given.native()) return Choice{};
  const Algorithm* const algorithm = find_algorithm(problem.collective, given.algorithm);
  if (algorithm == nullptr) return std::nullopt;
  const Choice choice = choice_given(given, *algorithm, problem, shape);
  return unfit_for(choice, problem, shape) == nullptr ? std::optional(choice) : std::nullopt;
}

}  // namespace espalier
