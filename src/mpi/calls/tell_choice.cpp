// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/tell_choice.hpp"

#include "mpi/job/say.hpp"
#include "select/choice_text.hpp"
#include "settings/number.hpp"

namespace espalier {

namespace {

std::string subject_of(const ContextStory& story) {
  const std::string what = std::string(name_of(story.key.collective)) + " of " + format_size(story.key.bytes_low);
  const std::string up_to =
      story.key.bytes_high > story.key.bytes_low ? " to " + format_size(story.key.bytes_high) : "";
  return what + up_to + " B among " + std::to_string(story.ranks) + " ranks";
}

std::string fastest_of(const ContextStory& story) {
  if (story.incumbent < 0 || story.incumbent >= std::ssize(story.candidates)) return "nothing is known yet";
  const CandidateStory& one = story.candidates[static_cast<std::size_t>(story.incumbent)];
  return text_of(one.choice) + " is the fastest so far";
}

void tell_change(const Job& job, const ContextStory& story, ToldChoice& told) {
  if (told.incumbent == story.incumbent && told.state == story.state) return;
  told.incumbent = story.incumbent;
  told.state = story.state;
  say_here(job, Topic::choice, "%s, call %llu: %s; %.*s", subject_of(story).c_str(),
           static_cast<unsigned long long>(story.calls), fastest_of(story).c_str(),
           static_cast<int>(story.state.size()), story.state.data());
}

void tell_arrangement(const Job& job, const ContextStory& story, ToldChoice& told) {
  if (!story.arrivals || story.arrivals->rearranged_at.size() == told.arrangements) return;
  told.arrangements = story.arrivals->rearranged_at.size();
  std::string ranks;
  for (const Rank rank : story.arrivals->ranks) ranks += " " + std::to_string(rank);
  say_here(job, Topic::late, "%s: from call %llu on the ranks stand so:%s", subject_of(story).c_str(),
           static_cast<unsigned long long>(story.arrivals->rearranged_at.back()), ranks.c_str());
}

}  // namespace

void tell_choice(const Call& call, const PreparedCommunicator& communicator, Decision& decision, const Choice& choice) {
  const Job& job = communicator.job();
  const Verbosity& verbose = job.settings.verbose;
  if (is_said(job, Topic::choice, Level::trace)) {
    say(job, Topic::choice, Level::trace, "%s, call %llu of the communicator: %s until the ranks agree again",
        call.function->name, static_cast<unsigned long long>(communicator.call()), text_of(choice).c_str());
  }
  const bool is_wanted = verbose.wants(Topic::choice, Level::info) || verbose.wants(Topic::late, Level::info);
  if (!is_wanted || communicator.rank() != 0) return;
  const std::optional<ContextStory> story = decision.story();
  if (!story) return;
  tell_change(job, *story, decision.told());
  tell_arrangement(job, *story, decision.told());
}

}  // namespace espalier
