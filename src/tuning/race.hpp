// SPDX-License-Identifier: Apache-2.0
// Finds the fastest of several candidates while they are in use, at a bounded cost. (Paper 5 left open how slow ones
// are dropped early; the budget is that of conservative bandits, Wu and others 2016.)
#pragma once

#include "tuning/evidence/change.hpp"
#include "tuning/evidence/history.hpp"
#include "tuning/planner.hpp"

namespace espalier::tuning {

class Race : public Tuner {
 public:
  // `start`: the candidate that runs first.
  Race(std::span<const Estimate> estimates, int start, const Assumptions& assumptions = {});

  void learn(const Timings& timings) override;
  [[nodiscard]] Opinion opinion(int candidate) const override;
  [[nodiscard]] double room() const override {
    return budget_.room(calls_) - learner_.lost_calls(assumptions_.caution);
  }

  [[nodiscard]] double calls() const { return calls_; }
  [[nodiscard]] const Learner& learner() const { return learner_; }
  [[nodiscard]] const Budget& budget() const { return budget_; }

 private:
  [[nodiscard]] std::size_t block_length() const;
  [[nodiscard]] std::size_t rest() const;
  void gather(const Timings& timings);
  [[nodiscard]] Timing timing_of(std::size_t call, double seconds) const;
  [[nodiscard]] double run_length(std::size_t call) const;
  [[nodiscard]] bool find_level();
  void note_agreement(double seconds);
  void make_plan(std::size_t calls);
  void learn_call(Timing timing);
  void note_untimed(std::span<const double> seconds);
  void book_first_call(Timing timing);
  void notice_change(Timing timing);
  void take_change(double shift, int incumbent);
  void look_for_structure();
  void replay();
  [[nodiscard]] double without_pattern(double log_seconds, std::size_t call) const;
  [[nodiscard]] double seconds_of_native() const;

  const Assumptions assumptions_;
  std::vector<Estimate> estimates_;
  int start_;
  Learner learner_;
  Budget budget_;
  Planner planner_;
  ChangeDetector detector_;
  History history_;
  double calls_ = 0;
  bool has_level_ = false;
  int last_;  // that ran
  double since_control_ = 0;
  double agreements_ = 0, agreement_ = 0;  // seconds: what all of them took, and what one does
  int recheck_ = 0;
  std::vector<int> runs_;
  double excess_sum_, excess_weight_ = 1;  // of first calls
  bool first_calls_cost_ = false;
  std::vector<double> pattern_;
  std::vector<Timing> timed_;  // the calls of a block of which it is known how long they took
};

}  // namespace espalier::tuning
