// SPDX-License-Identifier: Apache-2.0
#include "simulate/long_call.hpp"

#include <chrono>
#include <cmath>

namespace espalier {

namespace {

struct PlayedLength {
  int segments = 0;
  double seconds = 0;
};

// Where the line through two plays is at that many segments.
double on_line(const PlayedLength& first, const PlayedLength& second, int segments) {
  const double each = (second.seconds - first.seconds) / (second.segments - first.segments);
  return second.seconds + each * (segments - second.segments);
}

class LongCall {
 public:
  LongCall(Simulator& simulator, const Choice& choice, const Problem& problem, const LongCallLimits& limits,
           const PlayProgress& progress)
      : simulator_(simulator),
        window_(choice.cut.window),
        limits_(limits),
        progress_(progress),
        began_(std::chrono::steady_clock::now()),
        call_(choice, problem, simulator.shape()) {
    time_.build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    time_.segments = call_.segments();
  }

  LongCallTime time() {
    const int shortest = limits_.fewest_segments > 0 ? limits_.fewest_segments : std::max(2 * window_, 8);
    if (4 * std::int64_t{shortest} >= call_.segments()) return whole();
    PlayedLength first = play(shortest), second = play(2 * shortest);
    while (true) {
      if (2 * std::int64_t{second.segments} >= call_.segments()) return whole();
      const PlayedLength third = play(2 * second.segments);
      time_.seconds = on_line(second, third, call_.segments());
      time_.off = std::abs(on_line(first, second, call_.segments()) / time_.seconds - 1);
      const bool is_affordable =
          2 * third.segments * messages_of_a_segment_ <= static_cast<double>(limits_.most_messages);
      if (time_.off <= limits_.even_within || !is_affordable) return time_;
      first = second;
      second = third;
    }
  }

 private:
  LongCallTime whole() {
    time_.played.clear();
    time_.off = 0;
    time_.seconds = play(call_.segments()).seconds;
    return time_;
  }

  PlayedLength play(int segments) {
    const PlayedTime played = play_schedules(segments);
    messages_of_a_segment_ = static_cast<double>(played.messages) / segments;
    time_.played.push_back(segments);
    time_.messages += played.messages;
    time_.waited = played.waited;
    time_.play_seconds += played.play_seconds;
    return {segments, played.seconds};
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
