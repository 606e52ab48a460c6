// SPDX-License-Identifier: Apache-2.0
// Schedules with one small mistake: what a verifier must be able to tell from the right ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"

namespace espalier {

enum class Mutation : std::uint8_t {
  drop_operation,
  double_operation,
  swap_operations,  // with the next one
  swap_operands,    // of a reduction
  change_peer,
  change_channel,
  change_block,      // another block of the message, wherever the operation speaks of it
  change_label,      // of one region
  change_place,      // of one region
  change_length,     // one block more or less
  change_direction,  // a walk goes in the other direction
  change_buffer,     // or another scratch area
  change_merging,    // one message becomes segments, or the reverse
  drop_dependency,
  double_dependency,
  swap_dependencies,    // with the next one in the list
  redirect_dependency,  // to a neighbouring operation
  change_shift,
  change_kind,  // of a dependency
};
inline constexpr int mutation_kinds = static_cast<int>(Mutation::change_kind) + 1;

[[nodiscard]] std::string_view name_of(Mutation mutation);

struct Mutant {
  Mutation mutation = Mutation::drop_operation;
  std::string where;  // "operation 3, dependency 1"
  Schedule schedule;
};

// All mutants of one rank's schedule among `ranks` ranks.
[[nodiscard]] std::vector<Mutant> make_mutants(const Schedule& schedule, Rank me, Rank ranks);

}  // namespace espalier
