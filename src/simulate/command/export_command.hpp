// SPDX-License-Identifier: Apache-2.0
// --export: one call's schedules, written for simulators of others instead of being played.
#pragma once

#include "core/choice.hpp"
#include "simulate/export/export.hpp"
#include "simulate/simulator.hpp"
#include "tool/command.hpp"

namespace espalier::tool {

struct ExportOptions {
  std::string format, output;
  bool force = false;

  [[nodiscard]] bool given() const { return !format.empty() || !output.empty() || force; }
};

void add_export_options(CLI::App& app, ExportOptions& options);

// Prints what was written. Throws BadRequest where the options do not go together, the choice does not fit the problem,
// or more would be written than was asked for.
void export_schedules(const ExportOptions& options, const Simulator& simulator, const Choice& choice,
                      const Problem& problem, bool json);

}  // namespace espalier::tool
