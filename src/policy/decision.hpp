// SPDX-License-Identifier: Apache-2.0
// What is decided for a context: the calls of one communicator, collective and root, with types and operations of one
// class, and of one size.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/choice.hpp"
#include "policy/story.hpp"

namespace espalier {

// How a call went on a rank. Seconds, by a clock of the rank's.
struct CallTimes {
  double come = 0, left = 0;
  double taken = 0;   // without what the ranks shared first
  double waited = 0;  // since it came, for the first message; 0: it is not known
};

// What holds for a call, and for how long.
struct Ruling {
  Choice choice;
  std::uint64_t calls = 0;     // from this one on, until the decision wants to be asked again; 0: for ever
  bool wants_seconds = false;  // shall observe() be told how long each of these calls took?
};

// What a rank tells of a call; the policy knows what the numbers are.
using Telling = std::array<double, 3>;

// Knows when the ranks come, and arranges them in trees accordingly.
class Arranger {
 public:
  Arranger() = default;
  Arranger(const Arranger&) = delete;
  Arranger& operator=(const Arranger&) = delete;
  virtual ~Arranger() = default;

  // How long a choice is thought to take in which no rank waits longer than it must for late ones, mean over the ranks;
  // it may be one by arrival. Nothing: it is not known of this one. The same on all ranks.
  [[nodiscard]] virtual std::optional<double> expected_seconds(const Choice& choice) = 0;
};

// A decision that changes while a program runs. All ranks must change it alike: at the same calls, to the same choices.
class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  // `ordinal`: how many calls the context had before this one, equal on all ranks as long as no rank makes a call that
  // it alone refuses, for wrong arguments or for want of memory.
  [[nodiscard]] virtual Ruling look(std::uint64_t ordinal) = 0;
  // Before look(), if all ranks take part in the call: numbers that they shall share, equally many on all of them;
  // none: there is nothing to share. Each becomes the sum of all ranks', then take_sums() is called, and it is asked
  // again.
  [[nodiscard]] virtual std::span<double> numbers_to_share(std::uint64_t /*ordinal*/) { return {}; }
  virtual void take_sums() {}
  // The same of numbers that are the root's, or rank 0's: all ranks get those, then take_numbers_of_root() is called.
  // It waits for nobody else. Before that, if wants_to_hear(), the root hears what it was told.
  [[nodiscard]] virtual bool wants_to_hear(std::uint64_t /*ordinal*/) { return false; }
  // After what it has heard: whether the root waits a little for more.
  [[nodiscard]] virtual bool waits_to_hear() { return false; }
  [[nodiscard]] virtual std::span<double> numbers_of_root(std::uint64_t /*ordinal*/) { return {}; }
  // On what those numbers travel: a broadcast of ours.
  [[nodiscard]] virtual Choice way_from_root() { return {}; }
  virtual void take_numbers_of_root() {}
  // What a call of so many bytes took, on this rank alone; of some calls it is not known.
  virtual void observe(std::uint64_t /*ordinal*/, std::size_t /*bytes*/, const CallTimes& /*times*/) {}
  // After that: whether it is a call of which all ranks tell the root, or rank 0, and what this one does. That rank
  // hears it, its own words too, sooner or later.
  [[nodiscard]] virtual std::optional<Telling> to_tell(std::uint64_t /*ordinal*/) const { return std::nullopt; }
  virtual void hear(Rank /*from*/, std::uint64_t /*ordinal*/, const Telling& /*telling*/) {}
  // From this call on, choices by arrival stand for other arrangements. `arranger` outlives this.
  virtual void rearranged(std::uint64_t /*ordinal*/, Arranger& /*arranger*/) {}
  // Whether the ranks were found to decide differently: then nothing is shared any more.
  [[nodiscard]] virtual bool has_given_up() const { return false; }
  // After so many calls.
  [[nodiscard]] virtual std::optional<ContextStory> story(std::uint64_t /*calls*/) const { return std::nullopt; }
};

// Most are made once for all, and cost nothing more.
class Decision {
 public:
  Decision(const Choice& for_ever) : choice_(for_ever) {}
  Decision(std::unique_ptr<Policy> policy) : policy_(std::move(policy)) {}

  [[nodiscard]] bool holds_for_ever() const { return policy_ == nullptr; }
  [[nodiscard]] Ruling look(std::uint64_t ordinal) { return policy_ ? policy_->look(ordinal) : Ruling{choice_}; }
  [[nodiscard]] std::span<double> numbers_to_share(std::uint64_t ordinal) {
    return policy_ ? policy_->numbers_to_share(ordinal) : std::span<double>{};
  }
  void take_sums() {
    if (policy_) policy_->take_sums();
  }
  [[nodiscard]] bool wants_to_hear(std::uint64_t ordinal) {
    return policy_ != nullptr && policy_->wants_to_hear(ordinal);
  }
  [[nodiscard]] bool waits_to_hear() { return policy_ != nullptr && policy_->waits_to_hear(); }
  [[nodiscard]] std::span<double> numbers_of_root(std::uint64_t ordinal) {
    return policy_ ? policy_->numbers_of_root(ordinal) : std::span<double>{};
  }
  [[nodiscard]] Choice way_from_root() { return policy_ ? policy_->way_from_root() : choice_; }
  void take_numbers_of_root() {
    if (policy_) policy_->take_numbers_of_root();
  }
  void observe(std::uint64_t ordinal, std::size_t bytes, const CallTimes& times) {
    if (policy_) policy_->observe(ordinal, bytes, times);
  }
  [[nodiscard]] std::optional<Telling> to_tell(std::uint64_t ordinal) const {
    return policy_ ? policy_->to_tell(ordinal) : std::nullopt;
  }
  void hear(Rank from, std::uint64_t ordinal, const Telling& telling) {
    if (policy_) policy_->hear(from, ordinal, telling);
  }
  void rearranged(std::uint64_t ordinal, Arranger& arranger) {
    if (policy_) policy_->rearranged(ordinal, arranger);
  }
  [[nodiscard]] bool has_given_up() const { return policy_ != nullptr && policy_->has_given_up(); }
  [[nodiscard]] std::optional<ContextStory> story(std::uint64_t calls) const {
    return policy_ ? policy_->story(calls) : std::nullopt;
  }

 private:
  Choice choice_;
  std::unique_ptr<Policy> policy_;  // null: the choice holds for ever
};

}  // namespace espalier
