// SPDX-License-Identifier: Apache-2.0
// Arranges the ranks in the tree of whatever another policy chooses, by when they arrive (arrival/).
//
// At agreed calls, sampling points, all ranks note when they arrived, how long the call took them and how long they
// waited, and report to the root, which waits for nobody but at first: it learns from what has arrived by then. Before
// the next sampling point it reports to all ranks whether they are to be arranged otherwise, and when the sampling
// point after is; that goes down a tree as the call itself does, so late ranks hold up only those below them. (Paper
// 4, section 4: profile, optimise, reconfigure.)
#pragma once

#include <memory>
#include <vector>

#include "arrival/organiser.hpp"
#include "policy/policy.hpp"

namespace espalier {

class Arranged final : public Policy, private Arranger {
 public:
  // `inner` decides all else. `at_once`: sampling points begin with the second call; or else once `inner` has exchanged
  // numbers, for it does that where calls are many and long enough that something can be gained. What `shape` points to
  // must outlive this.
  Arranged(const Problem& problem, const Shape& shape, Selection inner, bool at_once);

  // Whether ranks can be arranged for calls of this kind.
  [[nodiscard]] static bool is_for(Collective collective);

  [[nodiscard]] std::optional<PolicyExchange> exchange(std::uint64_t ordinal, Asked asked) override;
  [[nodiscard]] RunCalls run(std::uint64_t ordinal) override;
  std::optional<CallReport> take(const PolicyResult& result) override;
  [[nodiscard]] std::optional<ContextStory> story(std::uint64_t calls) const override;

 private:
  // A tree in use, and how the ranks are arranged in it.
  struct ArrangedTree {
    const Algorithm* algorithm = nullptr;
    int radix = 0;
    arrival::PlaceTree places;
    arrival::Transfer like;
    std::shared_ptr<const Arrangement> arrangement, before;
  };
  // What is exchanged before a call, in this order; the last three at sampling points only.
  enum class ExchangeStage : std::uint8_t { sums, notes, outline, placement, done };
  // What the root says first; then comes the placement, if there is one.
  struct Outline {
    double has_placement = 0;   // 1: there is one
    double period = 1;          // after how many calls it speaks again
    double sampling_point = 0;  // before which call it speaks now
  };

  [[nodiscard]] std::optional<PolicyExchange> sums_before(std::uint64_t ordinal, Asked asked);
  [[nodiscard]] bool waits_for_notes() const;
  [[nodiscard]] ReceiveFromRoot outline();
  [[nodiscard]] ReceiveFromRoot placement();
  [[nodiscard]] Choice broadcast_from_root();

  std::optional<CallReport> on(const Sums& sums);
  std::optional<CallReport> on(const NotesRead& read);
  std::optional<CallReport> on(const NumbersOfRoot& numbers);
  std::optional<CallReport> on(const CallEnded& ended);
  std::optional<CallReport> on(const NoteReceived& note);
  std::optional<CallReport> on(const Rearranged& rearranged);
  std::optional<CallReport> on(const ReportsEnd& end);
  std::optional<CallReport> on(const Finished& finished);

  [[nodiscard]] std::optional<double> expected_seconds(const Choice& choice) override;
  [[nodiscard]] bool reports_directly() const;
  [[nodiscard]] int steps_of_words() const;

  [[nodiscard]] ArrangedTree& tree_for(const Choice& choice, const arrival::Transfer& like);
  [[nodiscard]] ArrangedTree& first_tree();
  [[nodiscard]] bool is_first(const ArrangedTree& tree) const;
  void arrange(ArrangedTree& tree, const std::vector<double>& placement) const;
  void take_outline();
  void take_placement();
  void begin_period();
  void begin_clock();

  const Problem problem_;
  const Shape shape_;
  const Choice first_;  // by whose tree the root judges
  const std::unique_ptr<Policy> inner_;
  const bool at_once_;
  RunCalls inner_run_;
  std::uint64_t inner_calls_left_ = 0;
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  ExchangeStage stage_ = ExchangeStage::sums;
  bool may_wait_ = false;  // for more notes
  // All ranks count time from when they last met.
  bool has_clock_ = false, meets_for_clock_ = false;
  int clock_age_ = 0;  // sampling points
  double clock_begin_ = 0;
  double clock_number_ = 0;  // says nothing: that all have it does
  double first_asked_at_ = 0, asked_at_ = 0, overhead_ = 0;
  std::uint64_t sampling_point_, reported_call_ = never;  // the next one, and the call of which the ranks report
  std::uint64_t shared_before_ = 0;                       // call
  std::uint64_t next_period_ = 1;
  Outline outline_;
  std::vector<double> announced_;                     // of the root
  std::vector<double> placement_, placement_before_;  // that holds, and the one that held before
  std::vector<std::uint64_t> rearranged_at_;          // calls
  std::unique_ptr<arrival::Organiser> organiser_;     // on the root, once it has received anything
  bool is_unsent_ = false;                            // the placement that it has given
  std::vector<std::unique_ptr<ArrangedTree>> trees_;  // once they are asked for
};

}  // namespace espalier
