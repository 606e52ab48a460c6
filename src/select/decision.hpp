// SPDX-License-Identifier: Apache-2.0
// What is decided for a context: the calls of one communicator, collective and root, with types and operations of one
// class, and of one size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "select/choice.hpp"
#include "select/story.hpp"

namespace espalier {

// What holds for a call, and for how long.
struct Ruling {
  Choice choice;
  std::uint64_t calls = 0;     // from this one on, until the decision wants to be asked again; 0: for ever
  bool wants_seconds = false;  // shall observe() be told how long each of these calls took?
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
  // What a call of so many bytes took, on this rank alone; of some calls it is not known.
  virtual void observe(std::uint64_t /*ordinal*/, std::size_t /*bytes*/, double /*seconds*/) {}
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
  void observe(std::uint64_t ordinal, std::size_t bytes, double seconds) {
    if (policy_) policy_->observe(ordinal, bytes, seconds);
  }
  [[nodiscard]] std::optional<ContextStory> story(std::uint64_t calls) const {
    return policy_ ? policy_->story(calls) : std::nullopt;
  }

 private:
  Choice choice_;
  std::unique_ptr<Policy> policy_;  // null: the choice holds for ever
};

}  // namespace espalier
