// SPDX-License-Identifier: Apache-2.0
// Which candidates the next calls run: the incumbent, unless another one's timing is worth more than it costs, and the
// budget allows it whatever happens that is likely.
#pragma once

#include <span>
#include <vector>

#include "tuning/budget.hpp"
#include "tuning/learner.hpp"
#include "tuning/tuner.hpp"

namespace espalier::tuning {

// What has happened so far.
struct Standing {
  double calls = 0;
  std::span<const int> runs;  // of each candidate, with those that nothing was learnt from
  std::span<const Estimate> estimates;
  double first_call_excess = 0;   // expected, in calls
  bool first_calls_cost = false;  // and known to be so
  double since_control = 0;       // calls since the native MPI ran last
  int recheck = 0;                // calls that shall tell whether a change concerns the incumbent alone
  double agreement = 0;           // what the next one takes, in calls
};

class Planner {
 public:
  Planner(const Assumptions& assumptions, const Learner& learner);

  // The next `calls` calls, written to `plan`.
  void make(const Standing& standing, const Learner& learner, const Budget& budget, std::size_t calls, Plan& plan);
  // By how much the budget was too small for any other candidate that is worth it, in calls; 0: none is.
  [[nodiscard]] double lacking() const { return lacking_; }

 private:
  struct Wish {
    int candidate = -1;  // none
    double worth = 0;
    bool incumbent_teaches_more = false;
  };
  void begin(const Standing& standing, const Learner& learner, const Budget& budget, std::size_t calls, Plan& plan);
  void add_wishes(std::size_t calls, Plan& plan);
  [[nodiscard]] Wish best_wish(std::size_t call) const;
  [[nodiscard]] int candidate_of(std::size_t call) const;
  [[nodiscard]] int rechecked() const;
  // Of a run, that a planned call is.
  [[nodiscard]] double part() const { return assumptions_.run_calls > 1 ? 1. / assumptions_.run_calls : 0; }
  void add_run(int candidate, std::size_t calls, Plan& plan);
  void expect(int candidate, std::size_t call);
  // How many calls of it are made one after the other: of what was never timed, one.
  [[nodiscard]] int run_of(int a) const { return learner_->timings(a) > 0 ? assumptions_.run_calls : 1; }

  [[nodiscard]] double least_lacking() const;
  [[nodiscard]] bool is_open(int a) const;
  [[nodiscard]] bool is_affordable(int a) const;
  [[nodiscard]] double dearest(int a) const;
  [[nodiscard]] double soon_repaid(int a) const;
  [[nodiscard]] bool wants_control(std::size_t call) const;
  [[nodiscard]] double worth(int a) const;
  [[nodiscard]] double first_call_price(int a) const;
  [[nodiscard]] double set_up_price(int a) const;
  [[nodiscard]] double price_of_control() const;
  [[nodiscard]] double control_gap() const;
  [[nodiscard]] bool is_control_out_of_date(double calls, double since) const;
  [[nodiscard]] double reduction(int c, int a) const;
  [[nodiscard]] double noise_variance(int a) const;

  const Assumptions assumptions_;
  double lacking_ = 0;
  // Of the plan being made, and no longer:
  const Standing* standing_ = nullptr;
  const Learner* learner_ = nullptr;
  Belief expected_;               // after the calls planned so far
  std::vector<int> timings_;      // with those
  std::vector<char> has_doubt_;   // still after those
  std::vector<char> is_planned_;  // among them
  int best_ = 0;
  double horizon_ = 0, room_ = 0, used_ = 0;
  double since_control_ = 0;
};

}  // namespace espalier::tuning
