// SPDX-License-Identifier: Apache-2.0
#include "memory/history.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace espalier {

namespace {

constexpr std::size_t max_latest = 12, max_days = 36;
constexpr std::int64_t day_seconds = 24 * 3600;

struct Line {
  std::int64_t at = 0;
  std::string_view text;
};

std::optional<Line> line_of(std::string_view text) {
  constexpr std::string_view begin = R"({"at": )";
  if (!text.starts_with(begin) || !text.ends_with('}')) return std::nullopt;
  Line line{.text = text};
  const std::string_view number = text.substr(begin.size());
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), line.at);
  return error == std::errc{} ? std::optional(line) : std::nullopt;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto line = line_of(text.substr(0, end))) lines.push_back(*line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Many jobs of one day would make all that was before it forgotten.
std::vector<Line> one_a_day(const std::vector<Line>& lines, std::size_t count) {
  std::vector<Line> kept;
  for (std::size_t i = 0; i < count; ++i) {
    if (kept.empty() || lines[i].at - kept.back().at >= day_seconds) kept.push_back(lines[i]);
  }
  if (kept.size() > max_days) kept.erase(kept.begin(), kept.end() - max_days);
  return kept;
}

}  // namespace

std::string name_of_history(const Placement& placement) {
  Placement place = placement;
  place.mpi.clear();
  place.network.clear();
  return fingerprint_text(place.fingerprint()) + ".jobs";
}

std::string with_line(std::string_view text, std::string_view line) {
  const std::vector<Line> lines = lines_of(text);
  const std::size_t older = lines.size() < max_latest ? 0 : lines.size() - (max_latest - 1);
  std::string all;
  const auto add = [&](std::string_view one) { all.append(one).append("\n"); };
  for (const Line& one : one_a_day(lines, older)) add(one.text);
  for (std::size_t i = older; i < lines.size(); ++i) add(lines[i].text);
  add(line);
  return all;
}

}  // namespace espalier
