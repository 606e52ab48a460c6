// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/rows.hpp"

#include <cstdio>

#include "settings/number.hpp"
#include "simulate/simulator.hpp"

namespace espalier::tool {

namespace {

// The paper counts a reduction to all as two passes of the message.
double passes_of(const SimulatedRow& row) { return row.call.problem.collective == Collective::allreduce ? 2 : 1; }

double bandwidth_of(const SimulatedRow& row) {
  return passes_of(row) * static_cast<double>(row.call.problem.bytes()) / row.time.seconds;
}

std::string three_digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", number >= 100 ? 0 : number >= 10 ? 1 : 2, number);
  return text;
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return three_digits(seconds * 1e6) + " us";
  return seconds < 1 ? three_digits(seconds * 1e3) + " ms" : three_digits(seconds) + " s";
}

std::string how_played(const LongCallTime& time) {
  if (time.was_whole()) return "whole";
  const std::string text = std::to_string(time.played.back()) + " of " + std::to_string(time.segments);
  if (!time.was_compared()) return text + ", not compared";
  char off[32];
  std::snprintf(off, sizeof off, ", off %.2g%%", 100 * time.off);
  return text + off;
}

}  // namespace

std::string parameters_text(const Choice& choice) {
  std::string text(choice.algorithm->name);
  if (choice.algorithm->takes_radix) text += ",radix=" + std::to_string(choice.radix);
  if (choice.cut.segment_bytes > 0) text += ",segment=" + format_size(choice.cut.segment_bytes);
  if (choice.leaders > 0) text += ",leaders=" + std::to_string(choice.leaders);
  return text;
}

Json as_json(const SimulatedRow& row, const std::string& machine, const Simulator& simulator, bool with_gains) {
  Json json = {{"machine", machine},
               {"collective", espalier::name_of(row.call.problem.collective)},
               {"bytes", row.call.problem.bytes()},
               {"algorithm", row.call.choice.algorithm->name},
               {"seconds", row.time.seconds},
               {"ranks", simulator.shape().size},
               {"segment", row.call.choice.cut.segment_bytes},
               {"window", row.call.choice.cut.window},
               {"segments", row.time.segments},
               {"played", row.time.played},
               {"off", row.time.off},
               {"messages", row.time.messages},
               {"waited", row.time.waited},
               {"met_links", row.time.met_links},
               {"links", simulator.wiring().links().size()},
               {"build_seconds", row.time.build_seconds},
               {"play_seconds", row.time.play_seconds}};
  if (with_gains) json.update({{"chosen", row.call.is_chosen}, {"plain", row.call.is_plain}});
  return json;
}

std::string table_of(const std::vector<SimulatedRow>& rows) {
  TextTable table = {{"bytes", "algorithm", "time", "GB/s", "played"}};
  for (const SimulatedRow& row : rows) {
    table.push_back({format_size(row.call.problem.bytes()), parameters_text(row.call.choice),
                     time_text(row.time.seconds), three_digits(bandwidth_of(row) / 1e9), how_played(row.time)});
  }
  const bool twice = !rows.empty() && passes_of(rows.front()) > 1;
  return format_table(table) + "\nGB/s: " + (twice ? "twice " : "") +
         "the message over the time. Played: segments of each block.\n";
}

std::string warnings_for(const std::vector<SimulatedRow>& rows, double even_within) {
  constexpr char uneven[] =
      ": time is not linear in the segments as far as it was played; what is printed continues the last stretch.";
  constexpr char not_compared_text[] =
      ": longer plays would take too long; what is printed continues the line through two, and nothing says how well.";
  std::string text;
  for (const SimulatedRow& row : rows) {
    if (row.time.off <= even_within) continue;
    text += "\n" + parameters_text(row.call.choice) + " at " + format_size(row.call.problem.bytes()) +
            (row.time.was_compared() ? uneven : not_compared_text);
  }
  return text.empty() ? "" : text + "\n";
}

}  // namespace espalier::tool
