// SPDX-License-Identifier: Apache-2.0
// What is decided by how long calls take: a tuner chooses among the alternatives while the program runs.
//
//   Measuring --> AskingKin --> BeforeSearch --(Searching)--> Racing <--> Settled
//                                    |
//                                    +---------(Searching)--> Alone
//
//   from those that exchange, if ranks were found to differ: Aborted
//
// The first calls of a context run what would be done without: most contexts have few. When some were made, the ranks
// agree on how long one takes, and so on when it is time to look for alternatives: that takes some time itself. (Other
// policies than the race do not ask what learning costs: they begin with BeforeSearch, at the first call.)
// What other communicators of like placement have learnt meanwhile is used if all ranks have learnt the same. If none
// has, the ranks agree once more, just before they look for alternatives: on what they know of them at other sizes.
// Then the tuner's plans are followed, block by block. After each block the ranks agree on what its calls took, at the
// next call in which all of them take part; until then the incumbent runs. Where calls take a few microseconds at most,
// each of the plan's is a run of several.
#pragma once

#include <memory>

#include "memory/memory.hpp"
#include "policy/known.hpp"
#include "policy/measured/block.hpp"
#include "policy/measured/exchange_overhead.hpp"
#include "policy/measured/shared_search.hpp"
#include "policy/overlap.hpp"
#include "policy/policy.hpp"
#include "policy/record.hpp"
#include "select/alternatives.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

class ByTime final : public Policy {
 public:
  // `settings.policy`: which tuner. What `shape` points to must outlive this. `memory`: is given what was learnt, now
  // and then and in the end; may be null. `receives_who_is_late`: by Rearranged, soon after the ranks have met.
  ByTime(const Problem& problem, const Shape& shape, Start start, const TuningSettings& settings,
         std::shared_ptr<Memory> memory = nullptr, bool receives_who_is_late = false);

  [[nodiscard]] std::optional<PolicyExchange> exchange(std::uint64_t ordinal, Asked asked) override;
  [[nodiscard]] RunCalls run(std::uint64_t ordinal) override;
  std::optional<CallReport> take(const PolicyResult& result) override;
  [[nodiscard]] std::optional<ContextStory> story(std::uint64_t calls) const override;

  // What is known by now; null before there is anything.
  [[nodiscard]] const tuning::Tuner* tuner() const;
  [[nodiscard]] const std::vector<Alternative>& alternatives() const { return alternatives_; }

 private:
  // How long a call of the default takes is measured: first some calls that nobody times.
  struct Measuring {
    Block block;
    std::optional<ContextMemory> learnt_elsewhere;
  };
  // It is known. From the call `search_at` on alternatives are looked for.
  struct BeforeSearch {
    std::uint64_t search_at = 0;
    double default_seconds = 0;
    bool is_quick = false, is_shared = false;
  };
  // Each rank does its part of that, where it takes long: at the next call in which all take part.
  struct Searching {
    double default_seconds = 0;
    std::unique_ptr<SharedSearch> search;
    std::uint64_t ordinal = 0;  // before which the ranks meet
  };
  // Until then, where something may be known of other sizes: no call of the block is timed.
  struct AskingKin {
    BeforeSearch before;
    Block block;
  };
  // There is none but the default.
  struct Alone {};
  // The tuner tries them.
  struct Racing {
    std::unique_ptr<tuning::Tuner> tuner;
    Block block;
  };
  // It has ended.
  struct Settled {
    std::unique_ptr<tuning::Tuner> tuner;
  };
  // Decisions differed between ranks: all is the native MPI's.
  struct Aborted {
    bool is_reported = false;  // to the driver
  };
  using Phase = std::variant<Measuring, AskingKin, BeforeSearch, Searching, Alone, Racing, Settled, Aborted>;

  // What each phase runs from a call on.
  [[nodiscard]] RunCalls run_in(const Measuring& measuring, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_in(const AskingKin& asking, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_in(const BeforeSearch& before, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_in(const Searching& searching, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_in(const Alone& alone, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_in(const Racing& racing, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_in(const Settled& settled, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_in(const Aborted& aborted, std::uint64_t ordinal) const;
  [[nodiscard]] RunCalls run_planned(const tuning::Plan& plan, const Block& block, std::uint64_t ordinal) const;

  // What is exchanged.
  [[nodiscard]] Block* block();
  [[nodiscard]] bool learns_at_any_cost() const;
  [[nodiscard]] bool may_learn_from_others() const;
  [[nodiscard]] bool must_meet() const { return calls_overlap_ && arranger_ == nullptr; }
  [[nodiscard]] bool begins_run(std::uint64_t ordinal) const;
  void begin_shared_search(std::uint64_t ordinal);
  [[nodiscard]] SumOverRanks search_before(std::uint64_t ordinal, Searching& searching) const;
  [[nodiscard]] SumOverRanks meet_before(std::uint64_t ordinal, const Block& block);
  [[nodiscard]] SumOverRanks agree_before(std::uint64_t ordinal, Block& block);
  [[nodiscard]] double look_what_was_learnt();
  void look_what_was_learnt(Measuring& measuring) const;
  void look_for_kin();
  [[nodiscard]] double state(const Block& block) const;
  [[nodiscard]] double state(const Searching& searching) const;

  // The results.
  void on(const Sums& sums);
  void on(const CallEnded& ended);
  void on(const Rearranged& rearranged);
  void on(const ReportsEnd& /*end*/) {}
  void on(const Finished& /*finished*/) { remember(); }
  void on(const NotesRead& /*is not asked for*/) {}
  void on(const NumbersOfRoot& /*is not asked for*/) {}
  void on(const NoteReceived& /*nobody reports here*/) {}

  void take_meeting(std::uint64_t ordinal, double seconds, double least);
  void take_block(Block& block);
  void take_means(Measuring& measuring);
  void take_kin(const AskingKin& asking, bool all_know_it);
  void take_means(Racing& racing);
  [[nodiscard]] BeforeSearch before_search(std::uint64_t ordinal, double default_seconds) const;
  [[nodiscard]] std::vector<Alternative> alternatives_found(bool is_quick) const;
  void search(std::uint64_t ordinal, const BeforeSearch& before);
  void take_shared(const Searching& searching);
  void look_at_alternatives(std::uint64_t ordinal, double default_seconds, double began_at);
  void look_at_arrivals(const std::vector<KnownChoice>& known);
  [[nodiscard]] bool is_fabric_open() const;
  void expect_set_up();
  void race(std::uint64_t ordinal, int first, double remaining);
  [[nodiscard]] bool tries_another(const tuning::Plan& plan) const;
  void remember();

  [[nodiscard]] int place_of_default() const;
  [[nodiscard]] Choice choice_of(const tuning::Plan& plan, int alternative) const;
  [[nodiscard]] std::vector<KnownChoice> opinions(const tuning::Tuner& tuner) const;
  [[nodiscard]] double of_default_size(double seconds, std::size_t bytes) const;
  [[nodiscard]] const char* phase_in_words() const;
  void add_candidates(ContextStory& story, const tuning::Tuner& tuner) const;

  const Problem problem_;
  const Shape shape_;
  const TuningSettings settings_;
  const std::shared_ptr<Memory> memory_;
  const bool calls_overlap_, receives_who_is_late_;

  Phase phase_;
  Start start_;
  std::vector<ContextMemory> kin_;         // until the search
  bool knows_kin_ = false;                 // of some alternatives
  std::vector<Alternative> alternatives_;  // from the search on
  Arranger* arranger_ = nullptr;           // once it has placed ranks
  Record record_;

  Meetings meetings_;
  std::optional<std::uint64_t> meets_before_;  // call: while the ranks meet, and do not agree
  BlockNumbers meeting_numbers_;
  ExchangeOverhead exchanges_;
  double overhead_seconds_ = 0;  // of the last agreement
  double once_seconds_ = 0;      // of the search, and of first calls of runs: not shared yet
  std::uint64_t run_ = 1;        // calls that are timed as one
};

}  // namespace espalier
