// SPDX-License-Identifier: Apache-2.0
// What came of the calls that were played: as a table to read, and in JSON.
#pragma once

#include <string>
#include <vector>

#include "simulate/command/calls.hpp"
#include "simulate/long_call.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

struct SimulatedRow {
  SimulatedCall call;
  LongCallTime time;
};

// `with_gains`: also whether Espalier would choose it, and whether a plain MPI does it.
[[nodiscard]] Json as_json(const SimulatedRow& row, const std::string& machine, const Simulator& simulator,
                           bool with_gains);

// Of one collective.
[[nodiscard]] std::string table_of(const std::vector<SimulatedRow>& rows);

// What plays that lie on no line are worth: said, as nobody would see it in the times. Empty: they all do.
[[nodiscard]] std::string warnings_for(const std::vector<SimulatedRow>& rows, double even_within);

// The algorithm, and how its messages are cut.
[[nodiscard]] std::string parameters_text(const Choice& choice);

}  // namespace espalier::tool
