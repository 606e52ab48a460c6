// SPDX-License-Identifier: Apache-2.0
#include "draw/text.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "settings/words.hpp"

namespace espalier {

namespace {

using Row = std::array<std::string, 8>;
constexpr std::size_t last_column = 7;
constexpr std::size_t indent = 2;

constexpr std::size_t widest = 80;          // columns of a terminal
constexpr std::size_t least_of_after = 12;  // however wide the others are

constexpr const char* legend =
    "blocks    the blocks of the message that the operation goes through\n"
    "from, to  where they lie: in the input, the output, or area n of the scratch\n"
    "          memory (ring n: one slot for each item under way); [..] are places in\n"
    "          it, left out where they are those of the message\n"
    "after     the operations that this one follows, item by item: 3; 3+1 and 3-1:\n"
    "          one block further, one block less; 3~w: as many items behind as the\n"
    "          window is wide; 3*: all of it; 3!: only posted (the order of a\n"
    "          channel); 3=: in step, posted in turn\n";

// How much of a row has to stand in lines of its own: nothing; operands and remarks; and ranges of blocks, too.
enum class Room : std::uint8_t { wide, narrow, narrowest };

const char* up_to(Room room) { return room == Room::narrowest ? "\n.." : ".."; }

// "2", "2..5", "7,6..3", "0,3..9"
std::string text_of(const Walk& walk, int count, const char* between = "..") {
  const auto at = [&](int k) { return std::to_string(walk.at(k)); };
  if (count <= 0) return "-";
  if (count == 1) return at(0);
  if (count == 2) return at(0) + "," + at(1);
  const bool rises = walk.at(count - 1) - walk.at(0) == count - 1 && walk.step == 1;
  return at(0) + (rises ? "" : "," + at(1)) + between + at(count - 1);
}

bool same_places(const Region& region) {
  return region.place.at(0) == region.label.at(0) && (region.blocks <= 1 || region.place.at(1) == region.label.at(1));
}

std::string text_of(const Region& region, const Schedule& schedule, const char* up_to) {
  if (region.buffer == Buffer::none) return "";
  const std::string places = same_places(region) ? "" : "[" + text_of(region.place, region.blocks, up_to) + "]";
  if (region.buffer == Buffer::input) return "input" + places;
  if (region.buffer == Buffer::output) return "output" + places;
  const std::string area = std::to_string(region.area);
  if (schedule.areas[region.area].kind == Area::Kind::ring) return "ring " + area;
  return "area " + area + "[" + text_of(region.place, region.blocks, up_to) + "]";
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

// The operands side by side, or one above the other.
std::string from_text(const Operation& op, const Schedule& schedule, Room room) {
  std::string left = text_of(op.source, schedule, up_to(room));
  if (op.kind != Operation::Kind::reduce) return left;
  return left + (room == Room::wide ? " o " : " o\n") + text_of(op.source_right, schedule, up_to(room));
}

Row row_of(const Schedule& schedule, std::size_t number, Room room) {
  constexpr const char* kinds[] = {"send", "recv", "reduce", "copy"};
  const Operation& op = schedule.operations[number];
  return {
      std::to_string(number),
      kinds[static_cast<std::size_t>(op.kind)],
      op.communicates() ? text_of(op.peers, op.has_one_peer() ? 1 : op.walked().blocks) : "",
      op.communicates() ? std::to_string(op.channel) : "",
      text_of(op.walked().label, op.walked().blocks, up_to(room)) +
          (op.merged && op.walked().blocks > 1 ? (room == Room::wide ? " at once" : "\nat once") : ""),
      from_text(op, schedule, room),
      text_of(op.target, schedule, up_to(room)),
      text_of(schedule.dependencies_of(op)),
  };
}

// Lines of words, none longer than `width` unless a word is.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string_view word : split(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

// Of all columns but the last, with what is between them.
std::array<std::size_t, last_column> widths_of(const std::vector<Row>& rows) {
  std::array<std::size_t, last_column> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < last_column; ++c) {
      for (const std::string_view line : split(row[c], '\n')) widths[c] = std::max(widths[c], line.size() + 2);
    }
  }
  return widths;
}

std::size_t width_of(const std::vector<Row>& rows) {
  const auto widths = widths_of(rows);
  return std::accumulate(widths.begin(), widths.end(), indent);
}

std::string padded(std::string_view text, std::size_t width, bool is_number) {
  const std::string blanks(width - 2 - text.size(), ' ');
  return (is_number ? blanks + std::string(text) : std::string(text) + blanks) + "  ";
}

std::string text_of(const Row& row, const std::array<std::size_t, last_column>& widths, std::size_t room) {
  std::array<std::vector<std::string_view>, last_column> cells;
  const std::vector<std::string> last = wrapped(row[last_column], room);
  std::size_t lines = last.size();
  for (std::size_t c = 0; c < last_column; ++c) {
    cells[c] = split(row[c], '\n');
    lines = std::max(lines, cells[c].size());
  }
  std::string text;
  for (std::size_t k = 0; k < lines; ++k) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < last_column; ++c) {
      line += padded(k < cells[c].size() ? cells[c][k] : "", widths[c], c == 0);
    }
    if (k < last.size()) line += last[k];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string table(const std::vector<Row>& rows) {
  const auto widths = widths_of(rows);
  const std::size_t room = std::max(least_of_after, widest - std::min(width_of(rows), widest));
  std::string text;
  for (const Row& row : rows) text += text_of(row, widths, room);
  return text;
}

std::vector<Row> rows_of(const Schedule& schedule, Room room) {
  std::vector<Row> rows = {{"#", "does", "peer", "chan", "blocks", "from", "to", "after"}};
  for (std::size_t i = 0; i < schedule.operations.size(); ++i) rows.push_back(row_of(schedule, i, room));
  return rows;
}

std::string draw_rank(const Schedule& schedule, Rank rank) {
  const std::string text = "rank " + std::to_string(rank) + "\n";
  if (schedule.operations.empty()) return text + "  nothing to do\n";
  std::vector<Row> rows;
  for (const Room room : {Room::wide, Room::narrow, Room::narrowest}) {
    rows = rows_of(schedule, room);
    if (width_of(rows) + least_of_after <= widest) break;
  }
  return text + table(rows);
}

}  // namespace

std::string draw_text(const Subject& subject, Rank first) {
  std::string text;
  for (const std::string& line : wrapped(title_of(subject) + ": " + subtitle_of(subject), widest)) text += line + "\n";
  text += "\n";
  Rank rank = first;
  for (const Schedule& schedule : subject.ranks) text += draw_rank(schedule, rank++) + "\n";
  return text + legend;
}

}  // namespace espalier
