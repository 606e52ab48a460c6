// SPDX-License-Identifier: Apache-2.0
// A call's schedules for simulators of others, one rank after the other: never more than one of them is in memory.
#pragma once

#include <functional>
#include <string>

#include "core/choice.hpp"
#include "core/problem.hpp"

namespace espalier {

enum class ExportFormat : std::uint8_t {
  goal,    // one file
  chakra,  // a file for each rank: PATH.0.et, PATH.1.et, ...
};

// All must outlive what is done with it. `choice` is not native, and fits the problem.
struct ExportedCall {
  const Choice& choice;
  const Problem& problem;
  const Shape& shape;
  double arithmetic_bytes_per_second = 1;
};

struct ExportSize {
  std::uint64_t tasks = 0, bytes = 0;
};

// About: from some of the ranks.
[[nodiscard]] ExportSize expected_size(const ExportedCall& call, ExportFormat format);

using RankProgress = std::function<void(Rank written)>;

// Throws std::runtime_error where a file cannot be written, std::length_error where it would need too many tags.
ExportSize export_call(const ExportedCall& call, ExportFormat format, const std::string& path,
                       const RankProgress& progress = {});

}  // namespace espalier
