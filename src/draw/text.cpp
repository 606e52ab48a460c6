// SPDX-License-Identifier: Apache-2.0
#include "draw/text.hpp"

#include <array>
#include <vector>

namespace espalier {

namespace {

using Row = std::array<std::string, 8>;

constexpr const char* legend =
    "blocks   which blocks of the message the operation walks along\n"
    "from, to where they lie: in the input, the output, or area n of the scratch memory (ring: one slot per item "
    "under\n"
    "         way); [..] are places in it, left out where they are those of the message\n"
    "after    the operations that this one follows, item by item: 3; 3+1 and 3-1: one block further, one block less;\n"
    "         3~w: as many items behind as the window is wide; 3*: all of it; 3!: only posted (the order of a "
    "channel);\n"
    "         3=: in step, posted in turn\n";

// "2", "2..5", "7,6..3", "0,3..9"
std::string text_of(const Walk& walk, int count) {
  const auto at = [&](int k) { return std::to_string(walk.at(k)); };
  if (count <= 0) return "-";
  if (count == 1) return at(0);
  if (count == 2) return at(0) + "," + at(1);
  const bool rises = walk.at(count - 1) - walk.at(0) == count - 1 && walk.step == 1;
  return at(0) + (rises ? ".." : "," + at(1) + "..") + at(count - 1);
}

bool same_places(const Region& region) {
  return region.place.at(0) == region.label.at(0) && (region.blocks <= 1 || region.place.at(1) == region.label.at(1));
}

std::string text_of(const Region& region, const Schedule& schedule) {
  if (region.buffer == Buffer::none) return "";
  const std::string places = same_places(region) ? "" : "[" + text_of(region.place, region.blocks) + "]";
  if (region.buffer == Buffer::input) return "input" + places;
  if (region.buffer == Buffer::output) return "output" + places;
  const std::string area = std::to_string(region.area);
  if (schedule.areas[region.area].kind == Area::Kind::ring) return "ring " + area;
  return "area " + area + "[" + text_of(region.place, region.blocks) + "]";
}

std::string text_of(const Dependency& dependency) {
  std::string number = std::to_string(dependency.operation);
  switch (dependency.kind) {
    case Dependency::Kind::lagged: return number + "~w";
    case Dependency::Kind::whole: return number + "*";
    case Dependency::Kind::posted: return number + "!";
    case Dependency::Kind::in_step: return number + "=";
    case Dependency::Kind::aligned: break;
  }
  if (dependency.shift == 0) return number;
  return number + (dependency.shift > 0 ? "+" : "") + std::to_string(dependency.shift);
}

std::string text_of(std::span<const Dependency> dependencies) {
  std::string text;
  for (const Dependency& dependency : dependencies) text += (text.empty() ? "" : " ") + text_of(dependency);
  return text;
}

std::string from_text(const Operation& op, const Schedule& schedule) {
  std::string left = text_of(op.source, schedule);
  if (op.kind != Operation::Kind::reduce) return left;
  return left + " o " + text_of(op.source_right, schedule);
}

Row row_of(const Schedule& schedule, std::size_t number) {
  constexpr const char* kinds[] = {"send", "recv", "reduce", "copy"};
  const Operation& op = schedule.operations[number];
  return {
      std::to_string(number),
      kinds[static_cast<std::size_t>(op.kind)],
      op.communicates() ? std::to_string(op.peer) : "",
      op.communicates() ? std::to_string(op.lane) : "",
      text_of(op.walked().label, op.walked().blocks) + (op.merged && op.walked().blocks > 1 ? " at once" : ""),
      from_text(op, schedule),
      text_of(op.target, schedule),
      text_of(schedule.dependencies_of(op)),
  };
}

std::string table(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - row[c].size(), ' ');
      line += (c == 0 ? padding + row[c] : row[c] + padding) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string draw_rank(const Schedule& schedule, Rank rank) {
  std::string text = "rank " + std::to_string(rank) + "\n";
  if (schedule.operations.empty()) return text + "  nothing to do\n";
  std::vector<Row> rows = {{"#", "does", "peer", "lane", "blocks", "from", "to", "after"}};
  for (std::size_t i = 0; i < schedule.operations.size(); ++i) rows.push_back(row_of(schedule, i));
  return text + table(rows);
}

}  // namespace

std::string draw_text(const Subject& subject, std::optional<Rank> only) {
  std::string text = title_of(subject) + ": " + subtitle_of(subject) + "\n\n";
  for (std::size_t rank = 0; rank < subject.ranks.size(); ++rank) {
    if (only && *only != static_cast<Rank>(rank)) continue;
    text += draw_rank(subject.ranks[rank], static_cast<Rank>(rank)) + "\n";
  }
  return text + legend;
}

}  // namespace espalier
