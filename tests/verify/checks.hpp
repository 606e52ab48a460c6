// SPDX-License-Identifier: Apache-2.0
// Each of the verifier's checks asked on its own, so that a test can say which of them catch a mistake.
#pragma once

#include <gtest/gtest.h>

#include "../engine/hand_made.hpp"
#include "verify/checks/channels.hpp"
#include "verify/checks/deadlock.hpp"
#include "verify/checks/issue_order.hpp"
#include "verify/checks/layout_check.hpp"
#include "verify/checks/races.hpp"
#include "verify/checks/results.hpp"
#include "verify/checks/structure.hpp"
#include "verify/model/samples.hpp"
#include "verify/verify.hpp"

namespace espalier::checks {

using Schedules = std::vector<Schedule>;

// The schedules of all ranks, from a function of rank and size.
template <class Make>
Schedules schedules_of(Rank size, const Make& make) {
  Schedules ranks;
  for (Rank rank = 0; rank < size; ++rank) ranks.push_back(make(rank, size));
  return ranks;
}

struct Failure {
  std::string check, error;
};

// What each check says about the schedules that the earlier ones allow it to see. The symbolic run and what needs it
// are asked for one sample.
inline std::vector<Failure> failures(const Case& problem, const Schedules& ranks, const Sample& sample) {
  std::vector<Failure> found;
  const auto note = [&](const char* check, const std::string& error) {
    if (!error.empty()) found.push_back({check, error});
    return error.empty();
  };
  if (!note("structure", proof::check_structure(problem, ranks))) return found;
  const proof::AllRanks all(problem, ranks);
  if (!note("messages", proof::check_messages(all))) return found;
  note("posting order", proof::check_posting_order(all));
  note("deadlock", proof::check_deadlock(all));
  note("layout", proof::check_layouts(all, false));
  Expressions expressions(problem.size);
  const std::vector<Partition> partitions = proof::partitions_of(all, sample);
  proof::SymbolicRun run(all, partitions, {.window = sample.window}, expressions);
  if (!note("run", run.run())) return found;
  note("results", proof::check_results(all, run, expressions));
  note("races", proof::check_races(all, run));
  note("issue order", proof::check_issue_order(all, partitions, sample.window));
  return found;
}

// That check alone, and with these words.
inline void expect_only(const Case& problem, const Schedules& ranks, const Sample& sample, const std::string& check,
                        const std::string& words) {
  const std::vector<Failure> found = failures(problem, ranks, sample);
  ASSERT_EQ(found.size(), 1u) << (found.empty() ? "nothing was found" : found.back().check + ": " + found.back().error);
  EXPECT_EQ(found[0].check, check);
  EXPECT_NE(found[0].error.find(words), std::string::npos) << found[0].error;
}

inline void expect_right(const Case& problem, const Schedules& ranks, const Sample& sample) {
  for (const Failure& failure : failures(problem, ranks, sample))
    ADD_FAILURE() << failure.check << ": " << failure.error;
}

inline constexpr Case bcast_of_two{Collective::bcast, 2};
inline constexpr Case allreduce_of_two{Collective::allreduce, 2};
inline constexpr Case reduce_of_two{Collective::reduce, 2};

}  // namespace espalier::checks
