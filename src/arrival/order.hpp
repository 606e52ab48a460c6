// SPDX-License-Identifier: Apache-2.0
// Our method towards a better arrangement: the best one for the arrival times as they usually are, at once; but only
// when it has proven better on what was measured afterwards, so that noise rearranges nothing.
#pragma once

#include <optional>
#include <span>

#include "arrival/arrival_times.hpp"
#include "arrival/trial.hpp"
#include "arrival/wave/place_tree.hpp"
#include "arrival/wave/tails.hpp"
#include "arrival/wave/wave.hpp"
#include "core/arrangement.hpp"

namespace espalier::arrival {

// Whether the proposed arrangement has shown often and clearly enough that it is better (a cumulative sum). Gains are
// shares of the time: half of the overall one, half of the mean.
class Benefit {
 public:
  // Of one broadcast more. Returns whether it suffices.
  [[nodiscard]] bool note(double gain);
  // The last change was undone: more is asked of the next one.
  void doubt();
  // Whether the last change has paid since: where changes do not, because what is late now will not be so for long, the
  // bar rises.
  void judge(bool has_paid);

 private:
  double sum_ = 0;
  double variance_ = .0025;  // of gains, as far as they are losses: one that pays never raises the bar
  int count_ = 0;
  double caution_ = 1;  // times the bar
  double moves_ = 4;    // that may be made at will; one comes back every 500 broadcasts
};

// What suits the times at which ranks usually arrive: with few exchanges, unless those cost too much of the mean time.
// The same on all ranks that are given the same.
[[nodiscard]] Arrangement proposal(const PlaceTree& tree, const Tails& tails, const Transfer& transfer,
                                   std::span<const double> mean_arrivals, const Arrangement& present);

class Order {
 public:
  // `tree` must outlive this.
  Order(const PlaceTree& tree, const Transfer& transfer);

  // When each rank arrived at a broadcast, by rank, by one clock. `elsewhere`: calls do not go along the tree yet, and
  // take so long; then the first thing to say is that they had better, even with the arrangement as it is. `along`:
  // what the call took along the tree, arranged as it is; nothing: it is not known. Returns whether there is something
  // to say: whether the arrangement is another one from now on.
  bool learn(std::span<const double> arrivals, std::optional<Taken> elsewhere = {}, std::optional<Taken> along = {});

  [[nodiscard]] const Arrangement& arrangement() const { return arrangement_; }
  [[nodiscard]] const Transfer& transfer() const { return transfer_; }
  // Whether that is again what it was before, which did not pay.
  [[nodiscard]] bool has_undone() const { return has_undone_; }
  // Whether ranks arrived otherwise the last time than they usually do.
  [[nodiscard]] bool is_surprised() const { return times_.is_surprised(); }
  // The arrival times, by rank, that it was made for.
  [[nodiscard]] std::span<const double> made_for() const { return made_for_; }

 private:
  [[nodiscard]] double gain();
  [[nodiscard]] double gain_from(const Arrangement& one, const Arrangement& other);
  [[nodiscard]] double gain_over(const Taken& elsewhere);
  void judge();
  void move();
  [[nodiscard]] bool has_failed(const Taken& along);
  void undo();
  void propose();

  const PlaceTree& tree_;
  const Transfer transfer_;
  const Tails tails_;
  ArrivalTimes times_;
  Benefit benefit_;
  ArrangementTrial trial_;
  Arrangement arrangement_, proposed_, left_;  // left_: the one before
  std::vector<Arrangement> refused_;           // that did not pay; the last few
  bool has_undone_ = false;
  int on_trial_ = 0;   // for this many broadcasts more
  double gained_ = 0;  // against the one before, since
  std::vector<double> made_for_, proposed_for_, left_made_for_;
  Wave wave_, proposed_wave_;
};

}  // namespace espalier::arrival
