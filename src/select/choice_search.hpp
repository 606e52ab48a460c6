// SPDX-License-Identifier: Apache-2.0
// The search for alternatives in three steps: what could run is listed, how long each takes is played, and the best are
// kept. Playing takes nearly all of the time, and each play stands alone: ranks can do some each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "select/alternatives.hpp"
#include "select/played.hpp"

namespace espalier {

class ChoiceSearch {
 public:
  // What alternatives_for() takes. What `shape` points to must outlive this.
  ChoiceSearch(const Problem& problem, const Shape& shape, const Choice& baseline, Reproducible reproducible);

  // Equal on all ranks.
  [[nodiscard]] std::size_t plays() const { return played_choices_.size() + native_choices_.size(); }
  // Of what they are.
  [[nodiscard]] std::uint64_t hash() const;
  // Seconds; 0: the network does not allow it. May differ in the last bits from machine to machine.
  [[nodiscard]] double seconds(std::size_t play) const;
  // `seconds`: of all plays, those on which all ranks agree.
  [[nodiscard]] std::vector<Alternative> alternatives(std::span<const double> seconds) const;

 private:
  using SecondsOfPlays = std::span<const double>;

  // How to run an algorithm over one transport.
  struct Variant {
    Choice choice;
    std::size_t play = 0;
  };
  struct VariantGroup {
    std::vector<Variant> variants;
    std::size_t kept = 0;  // no more than these
  };

  void list(const Choice* order);
  void list(const Algorithm& algorithm, Transport transport, std::size_t kept, const Choice* order);
  void list_native();
  [[nodiscard]] bool is_another_one(const Algorithm& algorithm) const;
  [[nodiscard]] std::size_t play_of(Choice choice);
  [[nodiscard]] const Played& played_for(const Choice& choice) const;

  void add_best(const VariantGroup& group, SecondsOfPlays seconds, std::vector<Alternative>& found) const;
  void add_baseline(SecondsOfPlays seconds, std::vector<Alternative>& found) const;
  void put_first(SecondsOfPlays seconds, std::vector<Alternative>& found) const;
  // Logs; nothing: it is not known.
  [[nodiscard]] std::optional<double> log_of_baseline(SecondsOfPlays seconds) const;
  [[nodiscard]] std::optional<double> log_of_native(SecondsOfPlays seconds) const;
  [[nodiscard]] Alternative alternative(const Choice& choice, double log_seconds) const;
  [[nodiscard]] bool is_whole(const Cut& cut) const;
  [[nodiscard]] bool runs_alike(Choice one, const Choice& other) const;

  const Problem problem_;
  const Shape shape_;
  const bool is_bound_;  // to the order in which the baseline adds
  const Choice baseline_, first_;
  const Played played_, played_over_fabric_;
  std::vector<VariantGroup> groups_;
  std::vector<Choice> played_choices_;  // by play
  std::size_t baseline_play_ = 0;       // of one of ours
  std::vector<Choice> native_choices_;  // by later plays: those of the native MPI alone
  std::vector<std::size_t> native_plays_;
};

}  // namespace espalier
