// SPDX-License-Identifier: Apache-2.0
// Arranges the ranks in the tree of whatever another decision chooses, by when they come (arrival/).
//
// At agreed calls, moments, all ranks note when they came, how long the call took them and how long they waited, and
// tell the root, which waits for nobody but at first: it learns from what has come by then. Before the next moment it
// tells all ranks whether they are to be arranged otherwise, and when the moment after is; that goes down a tree as the
// call itself does, so late ranks hold up only who hangs on them. (Paper 4, section 4: profile, optimise, reconfigure.)
#pragma once

#include <memory>
#include <vector>

#include "arrival/organiser.hpp"
#include "policy/decision.hpp"

namespace espalier {

class Arranged final : public Policy, private Arranger {
 public:
  // `inner` decides all else. `at_once`: moments begin with the second call; or else once `inner` has shared numbers,
  // for it does that where calls are so many and so long that something can be gained. What `shape` points to must
  // outlive this.
  Arranged(const Problem& problem, const Shape& shape, Decision inner, arrival::Method method, bool at_once);

  // Whether ranks can be arranged for calls of this kind.
  [[nodiscard]] static bool is_for(Collective collective);

  [[nodiscard]] Ruling look(std::uint64_t ordinal) override;
  [[nodiscard]] std::span<double> numbers_to_share(std::uint64_t ordinal) override;
  void take_sums() override;
  [[nodiscard]] bool wants_to_hear(std::uint64_t ordinal) override;
  [[nodiscard]] bool waits_to_hear() override;
  [[nodiscard]] std::span<double> numbers_of_root(std::uint64_t ordinal) override;
  [[nodiscard]] Choice way_from_root() override;
  void take_numbers_of_root() override;
  void observe(std::uint64_t ordinal, std::size_t bytes, const CallTimes& times) override;
  [[nodiscard]] std::optional<Telling> to_tell(std::uint64_t ordinal) const override;
  void hear(Rank from, std::uint64_t ordinal, const Telling& telling) override;
  [[nodiscard]] std::optional<ContextStory> story(std::uint64_t calls) const override;

 private:
  // A tree in use, and how the ranks are arranged in it.
  struct Tree {
    const Algorithm* algorithm = nullptr;
    int radix = 0;
    arrival::PlaceTree places;
    arrival::Transfer like;
    std::shared_ptr<const Arrangement> arrangement, before;
  };
  // What the root says: whether there are orders, after how many calls it speaks again, and before which call that was;
  // then the orders.
  enum class Step : std::uint8_t { outline, orders };

  [[nodiscard]] std::optional<double> expected_seconds(const Choice& choice) override;
  [[nodiscard]] bool tells_directly() const;
  [[nodiscard]] int steps_of_words() const;
  [[nodiscard]] ContextStory story_of_forced(std::uint64_t calls) const;

  [[nodiscard]] Tree& tree_for(const Choice& choice, const arrival::Transfer& like);
  [[nodiscard]] Tree& first_tree();
  [[nodiscard]] bool is_first(const Tree& tree) const;
  void arrange(Tree& tree, const std::vector<double>& orders) const;
  void take_orders();
  void begin_period();
  void begin_clock();

  const Problem problem_;
  const Shape shape_;
  Decision inner_;
  const arrival::Method method_;
  const bool at_once_;
  Ruling inner_ruling_;
  std::uint64_t inner_calls_left_ = 0;
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  // All ranks count time from when they last met.
  bool has_clock_ = false, shares_clock_ = false;
  int clock_age_ = 0;  // moments
  double clock_begin_ = 0;
  double clock_numbers_[1] = {};
  double first_asked_at_ = 0, asked_at_ = 0, beside_ = 0;
  std::uint64_t moment_, told_of_ = never;  // the next one, and the call of which the ranks tell
  std::uint64_t shared_before_ = 0;         // call
  std::uint64_t next_period_ = 1;
  Telling told_{};
  Step step_ = Step::outline;
  std::vector<double> said_;                       // of the root
  std::vector<double> orders_, orders_before_;     // that hold, and those that held before
  std::vector<std::uint64_t> rearranged_at_;       // calls
  std::unique_ptr<arrival::Organiser> organiser_;  // on the root, once it has heard anything
  bool are_unsaid_ = false;                        // orders that it has given
  Choice first_;                                   // by whose tree the root judges
  std::vector<std::unique_ptr<Tree>> trees_;       // once they are asked for
};

}  // namespace espalier
