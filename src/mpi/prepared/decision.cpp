// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/decision.hpp"

namespace espalier {

PolicyStep Decision::next(Asked asked) {
  if (!is_over()) return next();
  PolicyStep step = policy_->next(ordinal_, asked);
  const auto* run = std::get_if<RunCalls>(&step);
  if (run == nullptr) return step;
  hold(*run);
  count();
  return step;
}

void Decision::note(std::size_t bytes, const CallTimes& times) noexcept try {
  const std::uint64_t call = ordinal_ - 1;
  const std::optional<CallReport> report = policy_->take(CallEnded{call, bytes, times});
  if (!report || reporter_.notes == nullptr) return;
  const Note note{static_cast<std::uint64_t>(reporter_.me),
                  context_number_,
                  call,
                  {report->arrived, report->taken, report->waited}};
  if (reporter_.me != root()) return reporter_.notes->send(root(), note);
  reporter_.notes->expect();
  receive(note);
} catch (const std::exception&) {
  // The root learns nothing from this call.
}

void Decision::receive(const Note& note) {
  const auto& [arrived, taken, waited] = note.numbers;
  take(NoteReceived{static_cast<Rank>(note.from), note.ordinal, {arrived, taken, waited}});
}

void Decision::finish() noexcept try { take(Finished{}); } catch (const std::exception&) {
  // What was learnt is lost.
}

}  // namespace espalier
