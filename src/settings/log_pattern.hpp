// SPDX-License-Identifier: Apache-2.0
// The patterns of ESPALIER_LOG_DIR: "/var/log/espalier/%user/%Y/%m".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

inline constexpr std::string_view log_words[] = {"rank0pid", "program", "user", "host", "job", "Y", "m", "d", "H"};
inline constexpr std::string_view word_of_user = "user";

// What is wrong with a pattern, and what is allowed; or nothing.
[[nodiscard]] std::string wrong_log_pattern(std::string_view pattern);

// One directory of a path, after the one before.
struct PathStep {
  std::string name;
  bool is_given = true;  // as the pattern has it, up to the first word in it
  bool is_own = false;   // of one user: it, or one above it, is named after the user
};

// `value_of(word)` is text from anywhere: of it only letters, digits, '-', '_' and '.' are taken into a name.
[[nodiscard]] std::vector<PathStep> path_by_pattern(std::string_view pattern,
                                                    const std::function<std::string(std::string_view)>& value_of);

}  // namespace espalier
