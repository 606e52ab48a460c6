// SPDX-License-Identifier: Apache-2.0
// One call that is made natively and under Espalier, and what is kept of all of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "differential/job.hpp"
#include "differential/variants.hpp"
#include "shared/preloaded.hpp"

namespace espalier::apps {

struct Trial {
  const Variant& variant;
  const Group& group;
  Problem problem;
  std::string what;        // type, operation, in place?
  std::uint64_t seed = 0;  // of the values
  std::uint64_t number = 0;

  [[nodiscard]] Choice choice() const { return variant.selector.decide(problem, {group.size}).look(0).choice; }
  // Must this call run on an algorithm of ours? Not if it moves nothing: it may go either way then.
  [[nodiscard]] bool is_ours() const {
    return is_active() && is_intercepted(problem.collective) && moves_something() && !choice().native();
  }
  [[nodiscard]] bool moves_something() const {
    return group.size > 1 && (problem.collective == Collective::barrier || problem.bytes() > 0);
  }
  [[nodiscard]] std::string describe() const;
  // Says it to failures.hpp, so that a hang is reported.
  void begin() const;
  void fail(const std::string& how) const;
};

class Tally {
 public:
  // Makes the call, which must not return an error, and checks that it went where it should.
  template <class Call>
  void make(const Trial& trial, Call call);

  // The bits of a result that rounds: equal in every run of this program.
  void add_bits(const Trial& trial, std::uint64_t hash);
  // And of a result that all ranks of a group have: equal on all of them.
  void add_common(const Trial& trial, std::uint64_t hash) { common_[&trial.group].push_back(hash); }
  // Collective over MPI_COMM_WORLD.
  void compare_common(const Variant& variant, const std::vector<Group>& groups);

  void add_expression() { ++expressions_; }
  void add_trial() { ++trials_; }
  // As members of a JSON object; collective over MPI_COMM_WORLD.
  [[nodiscard]] std::string facts() const;

 private:
  void check_path(const Trial& trial, unsigned long long own, unsigned long long native);

  std::uint64_t trials_ = 0, expressions_ = 0, own_ = 0, native_ = 0, bits_ = 0;
  std::map<std::string, std::uint64_t> own_by_algorithm_;
  std::map<const Group*, std::vector<std::uint64_t>> common_;
};

template <class Call>
void Tally::make(const Trial& trial, Call call) {
  const Collective collective = trial.problem.collective;
  const CallCounts before = calls(collective);
  const int status = call();
  const CallCounts after = calls(collective);
  if (status != MPI_SUCCESS) trial.fail("it returned error " + std::to_string(status));
  if (is_intercepted(collective)) check_path(trial, after.own - before.own, after.native - before.native);
}

}  // namespace espalier::apps
