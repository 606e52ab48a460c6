// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/decisions.hpp"

#include <sched.h>

#include <bit>

#include "core/clock.hpp"

namespace espalier {

// A caller that waits here waits for ranks that are in the call before this one: a broadcast may do that. But not for
// one that has failed.
NotesRead Decisions::read_notes(const ReadNotes& step) {
  if (reporter_.notes == nullptr) return {};
  const double begin = step.waits ? now() : 0;
  if (step.waits) sched_yield();
  reporter_.notes->take([&](const Note& note) { read(note); });
  if (step.waits) patience_ -= now() - begin;
  return {.may_wait = patience_ > 0};
}

// Of contexts that were aborted since, nobody wants to know.
void Decisions::read(const Note& note) noexcept try {
  const std::uint64_t first = created_ - changing_.size();
  if (note.context >= first && note.context < created_) changing_[note.context - first]->receive(note);
} catch (const std::exception&) {
  // Nothing is learnt from it.
}

Decisions::ChoiceOrDecision Decisions::find(const Selector& selector, const Problem& problem, const Shape& shape) {
  const ContextKey key = context_of(problem);
  if (const auto known = by_context_.find(key); known != by_context_.end()) return {.changing = known->second};
  Selection selection = selector.decide(problem, shape);
  if (selection.is_permanent()) return {.choice = selection.choice};
  if (changing_.size() == max_contexts) return {.choice = {.reason = "more contexts than decisions are kept for"}};
  auto created = std::make_unique<Decision>(key, std::move(selection.policy), reporter_, created_);
  Decision* const changing = created.get();
  changing_.reserve(
      std::bit_ceil(changing_.size() + 1));  // so that there are both of these or, on allocation failure, none
  by_context_.emplace(key, changing);
  changing_.push_back(std::move(created));
  ++created_;
  return {.changing = changing};
}

void Decisions::end_reports() noexcept {
  for (const auto& each : changing_) each->end_reports();
}

void Decisions::finish() noexcept {
  for (const auto& each : changing_) each->finish();
}

void Decisions::clear() {
  finish();
  by_context_.clear();
  changing_.clear();
}

std::vector<MeasuredStory> Decisions::stories() const {
  std::vector<MeasuredStory> stories;
  for (const auto& each : changing_) {
    if (auto story = each->story()) stories.push_back({*std::move(story), each->measured()});
  }
  return stories;
}

}  // namespace espalier
