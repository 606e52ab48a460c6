// SPDX-License-Identifier: Apache-2.0
// How facts are printed, and files read.
#pragma once

#include <vector>

#include "tool/command.hpp"

namespace espalier::tool {

// The flag that all commands which print facts have.
CLI::Option* add_json_flag(CLI::App& command);

// What comes from files or the environment does nothing to a terminal: control characters are shown, not sent.
void print(std::string_view text);
void print_json(const Json& json);
// To a file, or to standard output if `path` is empty.
void write(const std::string& path, std::string_view text);

// What is in a file that an option names. Throws BadRequest.
[[nodiscard]] std::string text_of(const std::string& option, const std::string& file);

// Columns side by side; the first row is the heading.
using TextTable = std::vector<std::vector<std::string>>;
[[nodiscard]] std::string format_table(TextTable table);

}  // namespace espalier::tool
