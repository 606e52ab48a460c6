// SPDX-License-Identifier: Apache-2.0
// What the library says while it runs, by subject: "choice=trace,memory=info".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

enum class Topic : std::uint8_t { start, choice, late, memory, network, fabric, node, halo };
inline constexpr std::string_view topic_names[] = {"start",   "choice", "late", "memory",
                                                   "network", "fabric", "node", "halo"};

enum class Level : std::uint8_t {
  off,
  info,   // what was found, and what changed: one rank says it
  trace,  // each step, by all ranks
};
inline constexpr std::string_view level_names[] = {"off", "info", "trace"};

struct Verbosity {
  std::array<Level, std::size(topic_names)> levels{};

  [[nodiscard]] bool wants(Topic subject, Level level) const {
    return levels[static_cast<std::size_t>(subject)] >= level;
  }
  friend bool operator==(const Verbosity&, const Verbosity&) = default;
};

// Returns what is wrong with the text, or nothing. "0" is off; "1" is what is found at the start.
[[nodiscard]] std::string parse_verbosity(std::string_view text, Verbosity& verbosity);
[[nodiscard]] std::string format_verbosity(const Verbosity& verbosity);
[[nodiscard]] std::string allowed_verbosity();

// Words behind '%' in the name of a file.
inline constexpr std::string_view verbose_file_words[] = {"host", "pid", "rank"};
// What is wrong with such a name, and what is allowed; or nothing.
[[nodiscard]] std::string wrong_verbose_file(std::string_view pattern);

}  // namespace espalier
