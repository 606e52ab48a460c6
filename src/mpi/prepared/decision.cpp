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

Note Decision::note_of(const CallReport& report) const {
  return {.from = static_cast<std::uint64_t>(reporter_.me),
          .context = context_number_,
          .ordinal = ordinal_ - 1,
          .numbers = {report.arrived, report.taken, report.waited, report.informed},
          .others_follow = report.others_follow ? 1U : 0U};
}

// Where this rank is the root, a report says that the others report, too.
void Decision::note(std::size_t bytes, const CallTimes& times) noexcept try {
  const std::optional<CallReport> report = policy_->take(CallEnded{ordinal_ - 1, bytes, times});
  if (!report || reporter_.notes == nullptr) return;
  if (reporter_.me != root()) return reporter_.notes->send(root(), note_of(*report));
  if (!others_follow_) reporter_.notes->expect();
  others_follow_ = report->others_follow;
  receive(note_of(*report));
} catch (const std::exception&) {
  // The root learns nothing from this call.
}

void Decision::receive(const Note& note) {
  const auto& [arrived, taken, waited, informed] = note.numbers;
  take(NoteReceived{
      static_cast<Rank>(note.from), note.ordinal, {arrived, taken, waited, informed, note.others_follow != 0}});
}

double Decision::newly_saved() {
  const std::optional<ContextStory> now = story();
  if (!now) return 0;
  const BelievedGain gain = believed_gain(*now);
  const double saved = gain.saved_seconds - gain.lost_seconds;
  return saved - std::exchange(told_.saved_seconds, saved);
}

void Decision::end_reports() noexcept try {
  const std::optional<CallReport> report = policy_->take(ReportsEnd{});
  others_follow_ = false;
  if (report && reporter_.notes != nullptr && reporter_.me != root()) reporter_.notes->send(root(), note_of(*report));
} catch (const std::exception&) {
  // The root waits a little for what does not come.
}

void Decision::finish() noexcept try { take(Finished{}); } catch (const std::exception&) {
  // What was learnt is lost.
}

}  // namespace espalier
