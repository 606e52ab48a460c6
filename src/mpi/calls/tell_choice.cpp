// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/tell_choice.hpp"

#include "mpi/job/log_about.hpp"
#include "select/choice_text.hpp"
#include "settings/number.hpp"

namespace espalier {

namespace {

std::string subject_of(const ContextStory& story) {
  std::string text = std::string(name_of(story.key.collective)) + " of " + format_size(story.key.bytes_low);
  if (story.key.bytes_high > story.key.bytes_low) text += " to " + format_size(story.key.bytes_high + 1);
  return text + " among " + std::to_string(story.ranks) + " ranks, call " + std::to_string(story.calls);
}

std::string fastest_of(const ContextStory& story) {
  if (story.incumbent < 0 || story.incumbent >= std::ssize(story.candidates)) return "nothing is known yet";
  return text_of(story.candidates[static_cast<std::size_t>(story.incumbent)].choice) + " is the fastest so far";
}

// At the beginning there is nothing to say.
void tell_change(const Job& job, const ContextStory& story, ToldChoice& told) {
  const bool is_new = told.state.empty() && story.incumbent < 0;
  const bool is_same = told.incumbent == story.incumbent && told.state == story.state;
  told.incumbent = story.incumbent;
  told.state = story.state;
  if (is_new || is_same) return;
  log_about_here(job, Topic::choice, "%s: %s (%.*s)", subject_of(story).c_str(), fastest_of(story).c_str(),
                 static_cast<int>(story.state.size()), story.state.data());
}

void tell_arrangement(const Job& job, const ContextStory& story, ToldChoice& told) {
  if (!story.arrivals || story.arrivals->rearranged_at.size() == told.arrangements) return;
  told.arrangements = story.arrivals->rearranged_at.size();
  std::string ranks;
  for (const Rank rank : story.arrivals->ranks) ranks += " " + std::to_string(rank);
  log_about_here(job, Topic::late, "%s: the ranks are arranged again:%s", subject_of(story).c_str(), ranks.c_str());
}

}  // namespace

void tell_choice(const Call& call, const PreparedCommunicator& communicator, Decision& decision, const Choice& choice) {
  const Job& job = communicator.job();
  const Verbosity& verbose = job.settings.verbose;
  if (is_logged(job, Topic::choice, Level::trace)) {
    log_about(job, Topic::choice, Level::trace, "%s, call %llu of the communicator: %s until the ranks agree again",
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
