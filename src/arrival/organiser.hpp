// SPDX-License-Identifier: Apache-2.0
// The one rank that arranges the others: it learns how calls went on all of them, late or never, and says when
// there is a better arrangement. (Paper 4, section 4.2: the optimising process; the paper's own is SwapOrganiser.)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arrival/order.hpp"

namespace espalier::arrival {

// Calls between two times at which all ranks learn of arrangements.
inline constexpr double max_period = 1 << 14;

// How a call went on one rank. Seconds.
struct RankReport {
  double begun = 0;  // by a clock that all have in common
  double taken = 0;
  double waited = 0;    // for the first message
  double informed = 0;  // how long it took before that to learn of arrangements; on the root: to learn of calls, and to
                        // tell of arrangements
};

// And on all ranks, by rank: when each arrived, when it left, and how long it waited for the first message.
struct CallOfAll {
  std::uint64_t number = 0;
  std::vector<double> arrivals, left, waited;
};

class Organiser {
 public:
  // `tree` must outlive this. `like`: in how many segments a message flows, and how it is sent; what a transfer takes
  // is found out. `is_elsewhere`: until the first placement calls go otherwise, which is not known.
  explicit Organiser(const PlaceTree& tree, const Transfer& like, bool is_elsewhere = false);

  // Of calls on which the ranks agreed, by number.
  void receive(Rank from, std::uint64_t call, const RankReport& report);
  // Whether it would rather wait for what the ranks report of a call than go on without: at first, for otherwise a root
  // that runs ahead would have sent everything before it receives anything.
  [[nodiscard]] bool waits_for(std::uint64_t call) const;
  // Learns from those of which every rank has reported. True if the ranks are to be arranged otherwise from now on.
  [[nodiscard]] bool decide();

  // What all ranks have to know for that: numbers that make an Arrangement (arrangement_from()), or undo_placement: the
  // one before was better. Empty before the first ones.
  [[nodiscard]] const std::vector<double>& placement() const { return placement_; }
  // All ranks have received the placement, and follow it from that call on.
  void take_effect(std::uint64_t call);
  // After how many calls it shall learn of the next one: of more where calls are shorter, and where nothing came of
  // it for long, so that little is spent.
  [[nodiscard]] std::uint64_t period() const { return period_; }

  // Of what all have reported: the last call before the ranks were arranged for the first time, and the last one of
  // all. Empty as long as there is none.
  [[nodiscard]] const CallOfAll& before() const { return before_; }
  [[nodiscard]] const CallOfAll& latest() const { return latest_; }
  // What a transfer was found to take; 0: it is not known.
  [[nodiscard]] double transfer_seconds() const { return order_ != nullptr ? order_->transfer().seconds : 0; }

 private:
  // A call that some ranks have reported of.
  struct ReportedCall {
    CallOfAll call;
    std::vector<char> has_reported;
    Rank count = 0;
    double taken = 0;  // the sum
    std::vector<double> informed;
  };

  [[nodiscard]] ReportedCall& place_for(std::uint64_t call);
  [[nodiscard]] bool learn(const ReportedCall& reported);
  [[nodiscard]] bool learn_from(const ReportedCall& reported);
  [[nodiscard]] bool begin_order(const ReportedCall& reported);
  [[nodiscard]] double wait_for_words(const ReportedCall& reported);
  void find_period(const ReportedCall& reported);
  void look_closely_if_surprised(bool moved);
  static constexpr double max_looks = 4;

  const PlaceTree& tree_;
  const Transfer like_;
  const bool is_elsewhere_;
  static constexpr std::size_t max_reported_calls = 16;
  std::array<ReportedCall, max_reported_calls> reported_;
  std::uint64_t learnt_before_ = 0;  // this call
  std::vector<Transfer> fitted_;     // to the first ones,
  std::vector<CallOfAll> first_calls_;
  std::unique_ptr<Order> order_;  // once it is known what a transfer takes
  std::uint64_t period_ = 1;
  double overhead_ = 0;              // seconds that informing the ranks takes the root
  std::vector<double> least_waits_;  // for its words, by rank
  int learnt_ = 0;                   // from this many calls
  int pace_ = 0;                     // this many of them since it began to look closely, or since it last did
  double looks_ = max_looks;         // so often it may still look closely; they come back
  int empty_ = 0;                    // how often it was asked since without having received all of any call
  int quiet_ = 0;                    // this many calls were learnt from without effect since the last placement
  bool are_in_force_ = true;         // the last placement,
  std::uint64_t in_force_from_ = 0;  // this call on
  CallOfAll before_, latest_;
  std::vector<double> placement_;
};

// Placement that no arrival times or ranks begin with.
inline constexpr double undo_placement = -1;

// Numbers at most, for this many ranks.
[[nodiscard]] constexpr std::size_t max_placement_numbers(Rank size) { return static_cast<std::size_t>(size) + 2; }

// What a placement says of the calls to come.
struct Expected {
  Transfer transfer;             // as `like`, but how long it takes
  std::vector<double> arrivals;  // by rank
};
// Throws as arrangement_from().
[[nodiscard]] Expected expected_from(std::span<const double> placement, const Transfer& like);

// What an organiser places means for a tree, which need not be its own. `present`: how that
// tree's ranks are arranged by now. `like`: as above, of what flows there. Equal on all ranks. Throws
// std::invalid_argument if the placement is none.
[[nodiscard]] Arrangement arrangement_from(std::span<const double> placement, const PlaceTree& tree,
                                           const Transfer& like, const Arrangement& present);

}  // namespace espalier::arrival
