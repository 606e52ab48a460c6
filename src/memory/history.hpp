// SPDX-License-Identifier: Apache-2.0
// How long the calls of a placement took, job by job: a file of lines next to the memories, one for each job, the
// latest last (docs/reference/memory.md). The library only adds to it; `espalier memory drift` and `espalier run`
// judge.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/placement.hpp"

namespace espalier {

// What a job adds to one file.
struct HistoryLine {
  std::string file;
  std::string text;  // JSON, which begins with {"at": SECONDS since 1970
};

// Not told apart are MPIs and described networks: when one of them changed, that is what may have made it slow.
[[nodiscard]] std::string name_of_history(const Placement& placement);

// `line` behind those of `text`. Of these the latest stay, and of those before one a day; what is no such line goes.
[[nodiscard]] std::string with_line(std::string_view text, std::string_view line);

}  // namespace espalier
