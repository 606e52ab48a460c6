// SPDX-License-Identifier: Apache-2.0
// The paper's broadcast that learns who arrives late, for one tree that was forced (paper 4, section 4).
//
//   profile      every rank notes how long it waited in each broadcast, and reports to the root what has changed
//   optimise     the root, at agreed broadcasts: exchanges the places of two ranks, or undoes that
//   reconfigure  all ranks receive from the root which two, and before which broadcast it will speak again
//
// The root waits for no reports: it takes what is there.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "arrival/swap_organiser.hpp"
#include "policy/policy.hpp"

namespace espalier {

class BySwaps final : public Policy {
 public:
  // `choice`: of an algorithm with a tree. What `shape` points to must outlive this.
  BySwaps(const Problem& problem, const Shape& shape, const Choice& choice, const arrival::SwapSettings& settings);

  [[nodiscard]] std::optional<PolicyExchange> exchange(std::uint64_t ordinal, Asked asked) override;
  [[nodiscard]] RunCalls run(std::uint64_t ordinal) override;
  std::optional<CallReport> take(const PolicyResult& result) override;
  [[nodiscard]] std::optional<ContextStory> story(std::uint64_t calls) const override;

 private:
  // What is exchanged before a broadcast for which the root speaks, in this order.
  enum class SwapStage : std::uint8_t { reports, announcement, done };
  // What the root says.
  struct NextSwap {
    double look = 0;            // before which broadcast it speaks now
    double period = 1;          // after how many it speaks again
    double a = no_rank, b = 0;  // these change places; no_rank: nobody does
  };

  [[nodiscard]] ReceiveFromRoot announce();
  [[nodiscard]] bool is_read_soon(std::uint64_t call) const;
  void exchange_places(Rank a, Rank b);

  template <class Other>
  std::optional<CallReport> on(const Other& /*other*/) {
    return std::nullopt;
  }
  std::optional<CallReport> on(const CallEnded& ended);
  std::optional<CallReport> on(const NoteReceived& note);
  std::optional<CallReport> on(const NumbersOfRoot& numbers);
  std::optional<CallReport> on(const ReportsEnd& end);

  const Problem problem_;
  const Shape shape_;
  const arrival::SwapSettings settings_;
  const arrival::PlaceTree tree_;
  Choice choice_;  // as it is arranged by now
  SwapStage stage_ = SwapStage::done;
  std::uint64_t look_;  // before this broadcast the root speaks next
  NextSwap next_;
  arrival::Profile profile_;
  bool has_announced_ = false;  // that reports follow
  std::vector<std::uint64_t> rearranged_at_;
  std::unique_ptr<arrival::SwapOrganiser> organiser_;  // on the root, once it has received anything
};

}  // namespace espalier
