// SPDX-License-Identifier: Apache-2.0
// How timings become belief. A timing may be a spike, which says nothing; a candidate's first one may be a warm-up
// moreover, which only the second can tell.
#pragma once

#include <vector>

#include "tuning/belief.hpp"
#include "tuning/evidence/assumptions.hpp"
#include "tuning/evidence/estimate_errors.hpp"
#include "tuning/evidence/noise.hpp"
#include "tuning/evidence/timing.hpp"

namespace espalier::tuning {

// The only timing of a candidate so far was a spike with this probability; then what was believed before holds.
struct Doubt {
  double probability = 0;
  double own_mean = 0, own_variance = 0;
};

class Learner {
 public:
  // `start`: the candidate that is thought the best before any is timed.
  Learner(std::span<const Estimate> estimates, int start, const Assumptions& assumptions);

  // From timings of several candidates: so that one spike does not set the scale, the lower median counts.
  void set_level(std::span<const Timing> timings);
  // `incumbent` was thought the best meanwhile.
  void learn(const Timing& timing, int incumbent);
  // Of a block: by how much the mean time of a candidate is above its typical one.
  void note_tails(std::span<const Timing> timings);
  // This many calls of `a` were made of which it is not known how long they took.
  void note_untimed(int a, double calls) { untimed_[index_of(a)] += calls; }
  // What need not be learnt again.
  void take_sums(const Learner& from) {
    untimed_ = from.untimed_;
    tails_ = from.tails_;
  }
  // A change was noticed while `incumbent` ran: its log time moved by about so much, or everything's did.
  void doubt_all(double shift, int incumbent);

  [[nodiscard]] int candidates() const { return belief.candidates(); }
  // Timings learnt from, since the last change.
  [[nodiscard]] int timings(int a) const { return timings_[static_cast<std::size_t>(a)]; }
  [[nodiscard]] const Doubt& doubt(int a) const { return doubts_[static_cast<std::size_t>(a)]; }
  // Of those that were timed, and the one to start with.
  [[nodiscard]] int best() const;
  // What the calls since the last change took beyond those of the native MPI, less what they saved, in its calls; each
  // candidate believed slower by this many standard deviations.
  [[nodiscard]] double lost_calls(double deviations) const;

  // Of the logs of single timings: what noise adds, and in a run of calls that overlap, how much candidates differ.
  [[nodiscard]] double noise_variance(int a, bool after_another, double part) const;

  Belief belief;
  Noise noise;

 private:
  // By how much calls took longer than those next to them typically did, as a share of that, in sum.
  struct Tail {
    double excess = 0, calls = 0;
    void add(double more, double more_calls) {
      excess += more;
      calls += more_calls;
    }
  };
  // How far off a timing was, and the variance that it was to be expected with.
  struct Surprise {
    double error = 0, variance = 0, noise_variance = 0;
    [[nodiscard]] double deviation() const;
    [[nodiscard]] double likelihood() const;
  };
  [[nodiscard]] Surprise surprise(const Timing& timing) const;
  void note_estimate_error(const Surprise& surprise);
  void settle_doubt(const Timing& timing, Surprise& surprise);
  void yield_to(const Timing& timing, Surprise& surprise, bool is_incumbent);
  [[nodiscard]] double spike_probability(int a, const Surprise& surprise) const;
  void learn_first(const Timing& timing, Surprise surprise, double spike_probability);
  void learn_later(const Timing& timing, const Surprise& surprise, double spike_probability);
  void note_tail(std::span<const Timing> run);
  [[nodiscard]] double handicap(int a) const;

  Assumptions assumptions_;
  int start_;
  std::vector<double> estimate_variances_;
  EstimateErrors estimate_errors_;
  std::vector<Tail> tails_;  // of each candidate
  std::vector<int> timings_;
  std::vector<double> untimed_;
  std::vector<Doubt> doubts_;
  std::vector<double> residuals_;
};

}  // namespace espalier::tuning
