// SPDX-License-Identifier: Apache-2.0
// The subcommands. Each adds itself to the command line; its callback prints facts on standard output.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace espalier::tool {

using Json = nlohmann::ordered_json;

// What the user asked for cannot be done as it was asked: exit status 2.
struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The answer has been printed, and it is bad: exit status 1.
struct FoundWrong {};

void add_info(CLI::App& app);
void add_algorithms(CLI::App& app);
void add_explain(CLI::App& app);
void add_verify(CLI::App& app);
void add_mutate(CLI::App& app);
void add_draw(CLI::App& app);
void add_reference(CLI::App& app);
void add_replay(CLI::App& app);
void add_halo(CLI::App& app);
void add_levels(CLI::App& app);
void add_topo(CLI::App& app);

}  // namespace espalier::tool
