// SPDX-License-Identifier: Apache-2.0
// What the race takes for granted until it knows better, and what it may spend. Logs are natural; "calls" as a measure
// of time are calls of the native MPI.
#pragma once

#include <limits>

namespace espalier::tuning {

struct Assumptions {
  // The budget.
  double budget = .01;                                         // share of the native MPI's time that may be lost
  double credit_calls = 400;                                   // as if this many calls had been made already
  double calls_before = 0;                                     // that have been
  double remaining = std::numeric_limits<double>::infinity();  // of that, in calls, where it was lent before
  double payback_calls = 256;  // in which a candidate that is believed faster is to have repaid its try
  double caution = .9;         // standard deviations by which a candidate is taken to be slower than it is believed

  // How wrong the estimates are that candidates enter with (standard deviation of the log), where the network is known
  // and where it is not.
  double estimate_sd = .23;
  double blind_estimate_sd = .5;

  // Timings.
  double noise_sd = .08;          // of the log
  double spike_share = .04;       // of calls that took long for reasons of their own
  double first_spike_share = .1;  // of first calls
  double first_call_excess = .3;  // what a first call costs more than later ones, in calls, before that is known

  // Calls that overlap (policy/overlap.hpp) say more where several of one candidate come one after the other. What a
  // single call takes longer than one of a long run (log, and its standard deviation); by how much of that one
  // candidate differs from another; and how many are made at once.
  double single_call_excess = 0, single_call_sd = 0;
  double single_call_spread = 0;
  int run_calls = 1;

  // Where many calls of a candidate take much longer than its typical one, its mean counts. What is believed of that
  // begins with a number of calls without, and with what all candidates have in common, as if by that many.
  double calls_of_no_tail = 60, calls_of_common_tail = 80;
  double min_gain = .01;  // log by which a candidate must be faster than the native MPI

  // Change.
  double level_variance = 2e-5;  // added with every call to the common level
  double ratio_variance = 1e-6;  // and to each candidate
  double cusum_slack = .5;       // in standard deviations of the noise
  double cusum_bar = 16;

  // Time ahead: at least this many calls.
  double horizon_calls = 1000;

  // From one agreement to the next, without a rest: at most this many.
  int max_block = 32;

  // Control calls of the native MPI: what they may cost, and how far apart they are. The first one, where another
  // candidate started, may cost what the budget allows.
  double control_share = .0005;
  double min_control_gap = 48, max_control_gap = 1e5;
  // One comes sooner where the native MPI has not run for this share of the calls, if it takes no more than that one of
  // them.
  double min_age = .7;
  double share_of_age = .01;
  double min_calls_of_age = 32;
};

[[nodiscard]] inline Assumptions for_overlapping_calls(Assumptions assumptions) {
  assumptions.single_call_excess = .5;
  assumptions.single_call_sd = .4;
  assumptions.single_call_spread = .7;
  assumptions.run_calls = 4;
  return assumptions;
}

// Where calls are so short that as many as `run` count as one, after `calls_before` others.
[[nodiscard]] inline Assumptions for_runs_of_calls(Assumptions assumptions, double run, double calls_before) {
  assumptions.credit_calls /= run;
  assumptions.calls_before = calls_before / run;
  assumptions.payback_calls /= run;
  assumptions.horizon_calls /= run;
  assumptions.max_block = 8;
  return assumptions;
}

}  // namespace espalier::tuning
