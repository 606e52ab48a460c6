// SPDX-License-Identifier: Apache-2.0
// The grammar of ESPALIER_ALGORITHM:
//   choices   = [ choice { ";" choice } ]
//   choice    = collective ":" algorithm { "," parameter "=" value }
#include <algorithm>

#include "settings/number.hpp"
#include "settings/settings.hpp"
#include "settings/table.hpp"
#include "settings/words.hpp"

namespace espalier {

namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

template <class T>
std::string store(const ParameterLimits& parameter, std::string_view text, std::optional<T>& field) {
  if (field) return std::string(parameter.name) + " is given twice";
  const auto value = parameter.is_size ? parse_size(text) : parse_number(text);
  const auto [min, max] = parameter.limits;
  const auto least =
      static_cast<std::size_t>(value && *value > 0 && parameter.min_above_zero > 0 ? parameter.min_above_zero : min);
  if (!value || *value < least || *value > static_cast<std::size_t>(max)) {
    return std::string(parameter.name) + "=" + std::string(text) + "; allowed: " + allowed_text(parameter);
  }
  field = static_cast<T>(*value);
  return {};
}

bool is_list_of_ranks(std::string_view text) {
  return std::ranges::all_of(split(text, '/'), [](std::string_view rank) { return parse_number(rank).has_value(); });
}

}  // namespace

std::optional<int> swap_interval(std::string_view text) {
  if (text == "swap") return 0;
  if (!text.starts_with("swap(") || !text.ends_with(')')) return std::nullopt;
  const auto interval = parse_number(text.substr(5, text.size() - 6));
  if (!interval || *interval < 1 || *interval > max_swap_interval) return std::nullopt;
  return static_cast<int>(*interval);
}

namespace {

std::string store_arrange(std::string_view text, std::string& field) {
  if (!field.empty()) return "arrange is given twice";
  if (text != "order" && !swap_interval(text) && !is_list_of_ranks(text))
    return "arrange=" + std::string(text) + "; allowed: " + allowed_text(arrange_parameter);
  field = text;
  return {};
}

std::string store_over(std::string_view text, std::optional<Transport>& field) {
  if (field) return "over is given twice";
  if (text != "mpi" && text != "fabric") {
    return "over=" + std::string(text) + "; allowed: " + allowed_text(over_parameter);
  }
  field = text == "fabric" ? Transport::fabric : Transport::mpi;
  return {};
}

std::string parse_parameter(std::string_view text, ForcedChoice& choice) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = equals == text.npos ? "" : text.substr(equals + 1);
  if (name == segment_parameter.name) return store(segment_parameter, value, choice.segment_bytes);
  if (name == window_parameter.name) return store(window_parameter, value, choice.window);
  if (name == radix_parameter.name) return store(radix_parameter, value, choice.radix);
  if (name == leaders_parameter.name) return store(leaders_parameter, value, choice.leaders);
  if (name == over_parameter.name) return store_over(value, choice.over);
  if (name == arrange_parameter.name) return store_arrange(value, choice.arrange);
  std::vector<std::string_view> names;
  for (const ParameterLimits* parameter : parameters_table) names.push_back(parameter->name);
  return quoted(name) + " is no parameter; " + advice(name, names);
}

std::string parse_choice(std::string_view text, ForcedChoice& choice) {
  const std::size_t colon = text.find(':');
  const auto collective = collective_named(text.substr(0, colon));
  if (!collective) return no_collective(text.substr(0, colon));
  choice.collective = *collective;
  const auto parts = split(colon == text.npos ? "" : text.substr(colon + 1), ',');
  choice.algorithm = parts.front();
  if (choice.algorithm.empty()) {
    return "no algorithm is given for " + std::string(name_of(*collective)) +
           "; allowed: " + std::string(name_of(*collective)) + ":ALGORITHM, or " + std::string(name_of(*collective)) +
           ":native";
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (std::string error = parse_parameter(parts[i], choice); !error.empty()) return error;
  }
  return {};
}

}  // namespace

std::string no_collective(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Collective collective : all_collectives) names.push_back(name_of(collective));
  return quoted(name) + " is no collective; " + advice(name, names);
}

std::string parse_choices(std::string_view text, std::vector<ForcedChoice>& choices) {
  std::vector<ForcedChoice> found;
  for (const std::string_view part : text.empty() ? std::vector<std::string_view>{} : split(text, ';')) {
    ForcedChoice choice;
    if (std::string error = parse_choice(part, choice); !error.empty()) return error;
    const auto same = [&](const ForcedChoice& other) { return other.collective == choice.collective; };
    if (std::any_of(found.begin(), found.end(), same)) {
      return std::string(name_of(choice.collective)) + " is given twice; allowed: one choice per collective";
    }
    found.push_back(std::move(choice));
  }
  std::sort(found.begin(), found.end(),
            [](const ForcedChoice& a, const ForcedChoice& b) { return a.collective < b.collective; });
  choices = std::move(found);
  return {};
}

std::string format_choices(std::span<const ForcedChoice> choices) {
  std::string text;
  for (const ForcedChoice& choice : choices) {
    if (!text.empty()) text += ';';
    text.append(name_of(choice.collective)).append(":").append(choice.algorithm);
    if (choice.segment_bytes) text += ",segment=" + format_size(*choice.segment_bytes);
    if (choice.window) text += ",window=" + std::to_string(*choice.window);
    if (choice.radix) text += ",radix=" + std::to_string(*choice.radix);
    if (choice.leaders) text += ",leaders=" + std::to_string(*choice.leaders);
    if (choice.over) text += *choice.over == Transport::fabric ? ",over=fabric" : ",over=mpi";
    if (!choice.arrange.empty()) text += ",arrange=" + choice.arrange;
  }
  return text;
}

}  // namespace espalier
