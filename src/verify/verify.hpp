// SPDX-License-Identifier: Apache-2.0
// Proves that the schedules of all ranks together do what their collective promises.
//
// The argument, in short (docs/explanation/verification.md has it in full). Operations are repeated over items and talk
// over first-in first-out channels, so a schedule is a Kahn network: what it computes does not depend on timing, once
// nothing on a rank races and every channel's messages are posted in a forced order. So one symbolic run with sends
// that wait for their receives shows that all runs end, and with what. Since segment counts and windows vary, a static
// check on the graph of operations shows that no choice of them can deadlock.
//
// Pure functions; nothing here is used while a program runs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"
#include "verify/model/case.hpp"
#include "verify/model/expression.hpp"
#include "verify/model/sample.hpp"

namespace espalier {

struct Findings {
  std::size_t channels = 0;
  std::size_t streams_per_channel = 0;  // the most operations that one side of a channel has
  std::size_t events = 0;               // items run, on all ranks
  // Bcast: of the root's leaf; barrier: means nothing.
  bool in_rank_order = true;
  // Of the expressions of all blocks; one block may stand for many that are combined alike. Where it is equal, so are
  // the bits. The commutative one is coarser: for operations and types where swapping two operands cannot change a bit.
  // It is what algorithms claim (algorithms/order_class.hpp).
  std::uint64_t order_class = 0;
  std::uint64_t commutative_order_class = 0;
  // The result itself: by rank and place in the output.
  std::vector<std::vector<Expressions::Id>> outputs;
  std::shared_ptr<const Expressions> expressions;
};

struct Verdict {
  std::string error;  // what is wrong first, and where; empty: nothing
  Findings findings;  // only if nothing is wrong

  [[nodiscard]] bool ok() const { return error.empty(); }
};

// Checks the schedules for one choice of how to cut the message: their form, that both ends of each message agree and
// are posted in a forced order, that all of it ends, gives the right result and has no races, and that it ends in the
// flat executor's order too.
[[nodiscard]] Verdict verify(const Case& problem, std::span<const Schedule> ranks, const Sample& sample);

// Can the schedules deadlock for any sizes of blocks, any number of segments and any window? Empty text: they cannot.
[[nodiscard]] std::string static_deadlock_check(const Case& problem, std::span<const Schedule> ranks);

// All of it: verify() for each of the samples, with equal results, the static check, and the layout for awkward
// messages.
[[nodiscard]] Verdict prove(const Case& problem, std::span<const Schedule> ranks, std::span<const Sample> samples);

}  // namespace espalier
