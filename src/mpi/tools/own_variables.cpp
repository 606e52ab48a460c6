// SPDX-License-Identifier: Apache-2.0
#include "mpi/tools/own_variables.hpp"

#include "select/forced.hpp"
#include "settings/site/layers.hpp"
#include "settings/table.hpp"

namespace espalier {

namespace {

struct QuantityText {
  Quantity quantity;
  const char* name;
  const char* description;
};
constexpr QuantityText counted[] = {
    {Quantity::own_calls, "own_calls", "calls of this rank that ran on schedules of Espalier"},
    {Quantity::native_calls, "native_calls", "calls of this rank that were passed on to the native MPI"}};
constexpr QuantityText timed[] = {{Quantity::bytes, "bytes", "bytes of the messages of all calls of this rank"},
                                  {Quantity::time, "time", "seconds that this rank spent in all its calls"}};
constexpr QuantityText believed = {Quantity::saved, "saved",
                                   "seconds that this rank is believed to have saved by faster algorithms, less what "
                                   "was lost, as of the last time that the ranks agreed on one"};

const ParsedSettings& settings_of_process() {
  static const ParsedSettings parsed = checked_settings(layered_settings(process_environment()));
  return parsed;
}

PerformanceVariable variable_of(const QuantityText& text, std::string_view collective) {
  const std::string of(collective);
  return {.name = "espalier_" + of + "_" + text.name,
          .description = of + ": " + text.description,
          .quantity = text.quantity,
          .collective = collective};
}

std::vector<PerformanceVariable> performance_variables(const Settings& settings) {
  std::vector<PerformanceVariable> all;
  for (const Collective collective : all_collectives) {
    for (const QuantityText& text : counted) all.push_back(variable_of(text, name_of(collective)));
  }
  if (settings.mpi_t != ToolVariables::timed) return all;
  for (const std::string_view collective : logged_collectives) {
    for (const QuantityText& text : timed) all.push_back(variable_of(text, collective));
  }
  for (const Collective collective : all_collectives) all.push_back(variable_of(believed, name_of(collective)));
  return all;
}

std::vector<ControlVariable> control_variables() {
  std::vector<ControlVariable> all;
  for (std::size_t i = 0; i < settings_table.size(); ++i) {
    all.push_back({.name = std::string(settings_table[i].name),
                   .description = std::string(settings_table[i].description) + " Set at the start of the program.",
                   .setting = i});
  }
  return all;
}

OwnVariables made() {
  const ParsedSettings& parsed = settings_of_process();
  const bool are_wanted =
      parsed.ok() && parsed.off.empty() && parsed.settings.enabled && parsed.settings.mpi_t != ToolVariables::none;
  if (!are_wanted) return {};
  return {.performance = performance_variables(parsed.settings), .control = control_variables()};
}

std::size_t place_of(const PerformanceVariable& variable) { return logged_place_of(variable.collective); }

}  // namespace

const OwnVariables& own_variables() {
  static const OwnVariables all = made();
  return all;
}

bool is_counter(Quantity quantity) { return quantity != Quantity::time && quantity != Quantity::saved; }

unsigned long long count_of(const PerformanceVariable& variable) {
  if (variable.quantity == Quantity::bytes) return context->job.totals->sums[place_of(variable)].bytes.load();
  const CallCount calls = context->communicators.calls(*collective_named(variable.collective));
  return variable.quantity == Quantity::own_calls ? calls.own : calls.native;
}

double seconds_of(const PerformanceVariable& variable) {
  const CollectiveTotals& totals = *context->job.totals;
  if (variable.quantity == Quantity::saved) return totals.saved_seconds[place_of(variable)].load();
  return static_cast<double>(totals.sums[place_of(variable)].nanoseconds.load()) * 1e-9;
}

// Not what counts now: espalier_force() may change that, which a tool on another thread must not meet.
std::string value_of(const ControlVariable& variable) {
  return value_text(settings_table[variable.setting], settings_of_process().settings);
}

}  // namespace espalier
