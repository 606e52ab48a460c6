// SPDX-License-Identifier: Apache-2.0
// The rows of a report as a table for people: what `espalier run` prints, without its help.
#pragma once

#include <string>

#include "report/report.hpp"

namespace espalier {

// At most 100 columns wide, but for algorithms with long parameters.
[[nodiscard]] std::string stats_text(const Report& report);

}  // namespace espalier
