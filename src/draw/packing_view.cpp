// SPDX-License-Identifier: Apache-2.0
#include "draw/packing_view.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <vector>

#include "draw/legend.hpp"
#include "draw/palette.hpp"
#include "draw/svg.hpp"

namespace espalier {

namespace {

constexpr std::string_view packing_style =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#39424e;font-size:12px}"
    ".paper{fill:#ffffff}.band{fill:#f3f5f8}.put{stroke:#ffffff;stroke-width:1.5}"
    ".title{font-size:19px;font-weight:bold;fill:#1c232b}.note{fill:#66717e}.engine{text-anchor:end}";

constexpr double chart_left = 92, chart_top = 84, chart_width = 720, engine_height = 30;

std::set<int> directions_in(const PackingSubject& subject) {
  std::set<int> found;
  for (const halo::Put& put : subject.exchange->puts) {
    if (put.from == subject.node) found.insert(put.direction);
  }
  return found;
}

std::string direction_name(const PackingSubject& subject, int direction) {
  const auto& names = subject.exchange->directions;
  const auto at = static_cast<std::size_t>(direction);
  return at < names.size() ? names[at] : "direction " + std::to_string(direction);
}

const halo::PlacedPut& placement_of(const PackingSubject& subject, int put) {
  return subject.packing->placements[static_cast<std::size_t>(put)];
}
const halo::Put& put_of(const PackingSubject& subject, int put) {
  return subject.exchange->puts[static_cast<std::size_t>(put)];
}

std::vector<std::vector<int>> queues_in(const PackingSubject& subject) {
  return halo::queues_of(*subject.packing, *subject.exchange, *subject.engines, subject.node);
}

char letter_of(const std::set<int>& directions, int direction, bool is_capital) {
  constexpr int letters = 26;
  const auto at = std::distance(directions.begin(), directions.find(direction));
  const char letter = static_cast<char>('a' + at % letters);
  return is_capital ? static_cast<char>(std::toupper(letter)) : letter;
}

// Each put has at least one column: what is short would not be seen.
std::string line_of(const PackingSubject& subject, const std::vector<int>& queue, const std::set<int>& directions,
                    double columns_per_time) {
  std::string line;
  for (std::size_t turn = 0; turn < queue.size(); ++turn) {
    const halo::PlacedPut& placement = placement_of(subject, queue[turn]);
    const auto begin = static_cast<std::size_t>(std::lround(placement.begins * columns_per_time));
    const auto end = static_cast<std::size_t>(std::lround(placement.ends * columns_per_time));
    if (line.size() < begin) line.append(begin - line.size(), ' ');
    const char letter = letter_of(directions, put_of(subject, queue[turn]).direction, turn % 2 == 0);
    line.append(std::max<std::size_t>(1, end - std::min(end, line.size())), letter);
  }
  return line;
}

}  // namespace

std::string draw_packing_text(const PackingSubject& subject, int columns) {
  const std::set<int> directions = directions_in(subject);
  const double columns_per_time = columns / std::max(subject.packing->length(), 1e-300);
  std::string text = subject.title + "\n" + subject.subtitle + "\n\n";
  int engine = 0;
  for (const std::vector<int>& queue : queues_in(subject)) {
    text += "engine " + std::to_string(engine++) + "  " + line_of(subject, queue, directions, columns_per_time) + "\n";
  }
  text += "\n";
  for (const int direction : directions) {
    text += std::string(1, letter_of(directions, direction, false)) + " " + direction_name(subject, direction);
    text += direction == *directions.rbegin() ? "\n" : "  ";
  }
  return text;
}

std::string draw_packing_svg(const PackingSubject& subject) {
  const std::set<int> directions = directions_in(subject);
  const auto colour = [&](int direction) {
    const auto at = static_cast<int>(std::distance(directions.begin(), directions.find(direction)));
    return colour_of(at, static_cast<int>(directions.size()));
  };
  Legend legend("direction");
  for (const int direction : directions) {
    legend.add(Legend::Mark::swatch, colour(direction), direction_name(subject, direction));
  }
  const double bottom = chart_top + subject.engines->count * engine_height;
  const double width = std::max(chart_left + chart_width + 36, legend.width());
  Svg svg(width, bottom + 56, packing_style);
  svg.rectangle({0, 0}, width, bottom + 56, "paper");
  svg.text({24, 32}, "title", subject.title);
  svg.text({24, 54}, "note", subject.subtitle);
  const double scale = chart_width / std::max(subject.packing->length(), 1e-300);
  int engine = 0;
  for (const std::vector<int>& queue : queues_in(subject)) {
    const double y = chart_top + engine * engine_height;
    svg.text({chart_left - 12, y + engine_height / 2 + 4}, "engine", "engine " + std::to_string(engine++));
    svg.rectangle({chart_left, y + 2}, chart_width, engine_height - 4, "band");
    for (const int put : queue) {
      const halo::PlacedPut& placement = placement_of(subject, put);
      svg.rectangle({chart_left + placement.begins * scale, y + 2}, (placement.ends - placement.begins) * scale,
                    engine_height - 4, "put", colour(put_of(subject, put).direction));
    }
  }
  legend.draw(svg, bottom + 34);
  return std::move(svg).finish();
}

}  // namespace espalier
