// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/decisions.hpp"

#include <sched.h>

#include <bit>

#include "core/clock.hpp"

namespace espalier {

void ChangingDecision::observe(std::size_t bytes, const CallTimes& times) noexcept try {
  const std::uint64_t call = ordinal_ - 1;
  decision_.observe(call, bytes, times);
  const std::optional<Telling> telling = decision_.to_tell(call);
  if (!telling || teller_.notes == nullptr) return;
  const Note note{static_cast<std::uint64_t>(teller_.me), context_number_, call, *telling};
  if (teller_.me != root()) return teller_.notes->send(root(), note);
  teller_.notes->expect();
  hear(note);
} catch (const std::exception&) {
  // The root learns nothing from this call.
}

// Whoever waits here waits for ranks that are in the call before this one: a broadcast may do that. But not for one
// that has failed.
void Decisions::hear(ChangingDecision& decision) {
  if (teller_.notes == nullptr) return;
  take_notes();
  if (!decision.waits_to_hear()) return;
  const double begin = now();
  while (decision.waits_to_hear() && now() - begin < patience_) {
    sched_yield();
    take_notes();
  }
  patience_ -= now() - begin;
}

void Decisions::take_notes() {
  teller_.notes->take([&](const Note& note) { read(note); });
}

// Of contexts that were given up since, nobody wants to hear.
void Decisions::read(const Note& note) noexcept try {
  const std::uint64_t first = created_ - changing_.size();
  if (note.context >= first && note.context < created_) changing_[note.context - first]->hear(note);
} catch (const std::exception&) {
  // Nothing is learnt from it.
}

Decisions::Found Decisions::find(const Selector& selector, const Problem& problem, const Shape& shape) {
  const ContextKey key = context_of(problem);
  if (const auto known = by_context_.find(key); known != by_context_.end()) return {.changing = known->second};
  Decision decision = selector.decide(problem, shape);
  if (decision.holds_for_ever()) return {.choice = decision.look(0).choice};
  if (changing_.size() == max_contexts) return {.choice = {.reason = "more contexts than decisions are kept for"}};
  auto created = std::make_unique<ChangingDecision>(key, std::move(decision), teller_, created_);
  ChangingDecision* const changing = created.get();
  changing_.reserve(
      std::bit_ceil(changing_.size() + 1));  // so that there are both of these or, for want of memory, none
  by_context_.emplace(key, changing);
  changing_.push_back(std::move(created));
  ++created_;
  return {.changing = changing};
}

std::vector<MeasuredStory> Decisions::stories() const {
  std::vector<MeasuredStory> stories;
  for (const auto& each : changing_) {
    if (auto story = each->story()) stories.push_back({*std::move(story), each->measured()});
  }
  return stories;
}

}  // namespace espalier
