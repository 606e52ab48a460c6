// SPDX-License-Identifier: Apache-2.0
#include "tool/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/printable.hpp"
#include "files/input_file.hpp"

namespace espalier::tool {

namespace {

// Of UTF-8: the bytes that begin a character.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char letter) { return (letter & 0xc0) != 0x80; }));
}

}  // namespace

CLI::Option* add_json_flag(CLI::App& command) { return command.add_flag("--json")->description("Print JSON"); }

void print(std::string_view raw) {
  const std::string text = printable_lines(raw);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw std::runtime_error(std::string("standard output: ") + std::strerror(errno));
  }
}

// ASCII alone, which needs no escape of ours. Bytes that are no UTF-8 are replaced: JSON cannot say them.
void print_json(const Json& json) { print(json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n"); }

void write(const std::string& path, std::string_view text) {
  if (path.empty()) return print(text);
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "w"), close);
  if (!file) throw BadRequest(path + ": " + std::strerror(errno));
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0) {
    throw std::runtime_error(path + ": " + std::strerror(errno));
  }
}

std::string text_of(const std::string& option, const std::string& file) {
  try {
    return read_input_file(file);
  } catch (const UnreadableFile& error) {
    throw BadRequest(option + " " + file + ": cannot be read: " + error.what());
  }
}

std::string format_table(TextTable table) {
  std::vector<std::size_t> widths;
  for (auto& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = printable(row[c]);
      widths[c] = std::max(widths[c], columns_of(row[c]));
    }
  }
  std::string text;
  for (const auto& row : table) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += row[c] + std::string(widths[c] - columns_of(row[c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace espalier::tool
