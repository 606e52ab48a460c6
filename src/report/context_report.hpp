// SPDX-License-Identifier: Apache-2.0
// What a report says of a context that was chosen by time: docs/reference/report.md.
#pragma once

#include <string>

#include "policy/story.hpp"

namespace espalier {

// `communicator`: its number among those that this rank leads.
[[nodiscard]] std::string json_of(const ContextStory& story, int leader, int communicator);

// Adds how many of its calls were measured, on a rank, and how long these took there; means over the ranks.
[[nodiscard]] std::string with_measured(std::string json, std::uint64_t calls, double seconds);

}  // namespace espalier
