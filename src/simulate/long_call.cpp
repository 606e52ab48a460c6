// SPDX-License-Identifier: Apache-2.0
#include "simulate/long_call.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace espalier {

namespace {

// Fewer say little of a pipeline's pace.
constexpr int fewest_steady_segments = 16;

// How often what is played next fills the pipeline, by what a short play says of it.
constexpr double fillings = 4;

struct PlayedLength {
  int segments = 0;
  double seconds = 0;
  SteadyPace pace;

  [[nodiscard]] bool is_steady() const { return pace.segments >= fewest_steady_segments; }
  // Where each further segment takes that long.
  [[nodiscard]] double continued(double each, int all) const { return seconds + each * (all - segments); }
};

// What a segment takes by the line through two plays.
double each_between(const PlayedLength& first, const PlayedLength& second) {
  return (second.seconds - first.seconds) / (second.segments - first.segments);
}

// Where that line is at this many segments.
double on_line(const PlayedLength& first, const PlayedLength& second, int segments) {
  return second.continued(each_between(first, second), segments);
}

// A segment may pass more than the pipeline whose pace was seen: where one waits until another one is empty, say. Then
// longer plays take more than the pace says.
bool agree(double pace, double line) {
  constexpr double within = .05;
  return std::abs(pace - line) <= within * line;
}

class LongCall {
 public:
  LongCall(Simulator& simulator, const Choice& choice, const Problem& problem, const LongCallLimits& limits,
           const PlayProgress& progress)
      : simulator_(simulator),
        window_(choice.cut.window),
        pipeline_(pipeline_of(*choice.algorithm, simulator.shape())),
        limits_(limits),
        progress_(progress),
        began_(std::chrono::steady_clock::now()),
        call_(choice, problem, simulator.shape()) {
    time_.build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    time_.segments = call_.segments();
  }

  LongCallTime time() {
    if (4 * std::int64_t{shortest()} >= call_.segments()) return whole();
    std::vector<PlayedLength> plays{play(shortest())};
    int next = after_the_shortest(plays.front());
    while (3 * std::int64_t{next} < 2 * std::int64_t{call_.segments()}) {
      plays.push_back(play(next));
      take_time_from(plays);
      next *= 2;
      if (time_.off <= limits_.even_within) return time_;
      if (next > affordable(limits_.most_again)) return halved(plays);
    }
    return whole();
  }

 private:
  // Up and down one after the other are no pipeline that is all at work at once: it is filled in each play, and the
  // times of several tell how long a segment takes.
  [[nodiscard]] int shortest() const {
    if (limits_.fewest_segments > 0) return limits_.fewest_segments;
    const int least = std::max(2 * window_, 8);
    return pipeline_ && pipeline_->in_phases ? std::max(least, pipeline_->height / 2) : least;
  }

  [[nodiscard]] int after_the_shortest(const PlayedLength& played) const {
    const double filled = std::min<double>(fillings * played.pace.under_way, affordable(limits_.most_messages));
    return std::max(static_cast<int>(filled), 2 * played.segments);
  }
  // The shortest play says little of the pace of the longest. Where nothing longer can be played, one of half its
  // length lies between the two.
  LongCallTime halved(std::vector<PlayedLength>& plays) {
    const int half = plays.back().segments / 2;
    if (plays.size() == 2 && half >= 2 * plays.front().segments) {
      plays.insert(plays.begin() + 1, play(half));
      take_time_from(plays);
    }
    return time_;
  }

  [[nodiscard]] int affordable(std::uint64_t messages) const {
    return static_cast<int>(static_cast<double>(messages) / messages_of_a_segment_);
  }

  void take_time_from(std::span<const PlayedLength> plays) {
    const PlayedLength& last = plays.back();
    const PlayedLength& before = plays[plays.size() - 2];
    const int all = call_.segments();
    if (last.is_steady() && agree(last.pace.seconds, each_between(before, last))) {
      time_.seconds = last.continued(last.pace.seconds, all);
      time_.off = std::abs(last.continued(last.pace.earlier, all) / time_.seconds - 1);
      return;
    }
    time_.seconds = on_line(before, last, all);
    time_.off =
        plays.size() < 3 ? not_compared : std::abs(on_line(plays[plays.size() - 3], before, all) / time_.seconds - 1);
  }

  LongCallTime whole() {
    time_.played.clear();
    time_.off = 0;
    time_.seconds = play(call_.segments()).seconds;
    return time_;
  }

  PlayedLength play(int segments) {
    const PlayedTime played = play_schedules(segments);
    messages_of_a_segment_ = static_cast<double>(played.messages) / segments;
    time_.messages += played.messages;
    if (time_.played.empty() || segments > time_.played.back()) {
      time_.waited = played.waited;
      time_.met_links = played.met_links;
    }
    time_.played.insert(std::ranges::upper_bound(time_.played, segments), segments);
    time_.play_seconds += played.play_seconds;
    const bool in_phases = pipeline_ && pipeline_->in_phases;
    return {segments, played.seconds, in_phases ? SteadyPace{} : played.pace};
  }

  PlayedTime play_schedules(int segments) {
    if (segments == call_.segments()) {
      SimulatedMessage whole = call_.message(call_.ranks().front(), segments);
      whole.partition = call_.partition();
      return simulator_.play(call_.ranks(), whole, progress_);
    }
    if (!call_.blocks_are_segments())
      return simulator_.play(call_.ranks(), call_.message(call_.ranks().front(), segments), progress_);
    const std::vector<Schedule> ranks = call_.build(segments);
    return simulator_.play(ranks, call_.message(ranks.front(), segments), progress_);
  }

  Simulator& simulator_;
  const int window_;
  const std::optional<Pipeline> pipeline_;
  const LongCallLimits limits_;
  const PlayProgress& progress_;
  const std::chrono::steady_clock::time_point began_;
  ShortenedCall call_;
  double messages_of_a_segment_ = 0;
  LongCallTime time_;
};

}  // namespace

LongCallTime simulate_call(Simulator& simulator, const Choice& choice, const Problem& problem,
                           const LongCallLimits& limits, const PlayProgress& progress) {
  return LongCall(simulator, choice, problem, limits, progress).time();
}

}  // namespace espalier
