// SPDX-License-Identifier: Apache-2.0
#include "estimate/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/over_nodes.hpp"
#include "estimate/running_time.hpp"
#include "estimate/sampled_time.hpp"
#include "play/shortened_call.hpp"
#include "play/timed_run.hpp"

namespace espalier {

namespace {

// Segments of a block (or pieces of the message) that are played at least.
constexpr int min_played = 4;

// A pipeline runs evenly where two stretches of it take the same time per segment, but for this share.
constexpr double even_within = 0.02;

// In one play: what an answer costs is bounded, whatever the size of message, window and communicator.
constexpr std::size_t max_messages = 4096;

// A choice that is played for any number of segments, all as long as those of the whole message.
class Plays {
 public:
  Plays(const Choice& choice, const Problem& problem, const Shape& shape)
      : call_(choice, problem, shape),
        window_(choice.cut.window),
        network_(*shape.network),
        simulation_(call_.ranks(), *shape.network) {}

  [[nodiscard]] int segments() const { return call_.segments(); }
  [[nodiscard]] int window() const { return window_; }

  // Of one segment of each block.
  [[nodiscard]] std::size_t messages() const {
    const std::size_t all = simulation_.messages(call_.partition().segments());
    return std::max<std::size_t>(1, all / static_cast<std::size_t>(segments()));
  }

  [[nodiscard]] double seconds(int segments) {
    if (!call_.blocks_are_segments()) return simulation_.seconds(call_.message(call_.ranks().front(), segments));
    const std::vector<Schedule> ranks = call_.build(segments);
    return running_time(ranks, call_.message(ranks.front(), segments), network_);
  }

  [[nodiscard]] double min_seconds_per_segment() const {
    SimulatedMessage whole = call_.message(call_.ranks().front(), segments());
    whole.partition = call_.partition();
    const double all = simulation_.min_seconds_per_segment(whole);
    return call_.blocks_are_segments() ? all / segments() : all;
  }

 private:
  ShortenedCall call_;
  int window_;
  const Network& network_;
  Simulation simulation_;
};

// Up to where a pipeline was played, how long that takes, and how long each segment of the last stretch of it.
struct PlayedStretch {
  int segments = 0;
  double seconds = 0;
  double each = std::numeric_limits<double>::infinity();

  [[nodiscard]] PlayedStretch to(int more, double then) const {
    return {more, then, (then - seconds) / (more - segments)};
  }
  [[nodiscard]] bool takes(double expected) const { return std::abs(each - expected) <= even_within * each; }
};

// Played to twice as many segments each time, until each takes no longer than it must, or beyond the window as long
// as in the stretch before: up to there streams run ahead of others as they cannot later on.
double played_seconds(const Choice& choice, const Problem& problem, const Shape& shape) {
  Plays plays(choice, problem, shape);
  const int all = plays.segments();
  if (all <= 2 * min_played) return plays.seconds(all);
  const auto affordable = static_cast<int>(max_messages / plays.messages());
  const double least = plays.min_seconds_per_segment();
  PlayedStretch last{min_played, plays.seconds(min_played)};
  while (true) {
    const int next = 2 * last.segments;
    if (all <= next) return plays.seconds(all);
    const PlayedStretch before = last;
    last = before.to(next, plays.seconds(next));
    const bool runs_evenly = next > plays.window() && last.takes(before.each);
    if (last.takes(least) || runs_evenly || 2 * next > affordable) break;
  }
  return last.seconds + std::max(least, last.each) * (all - last.segments);
}

// As if one leader of each node did it with the whole message; what is copied inside the nodes is copied before and
// after, by all of their ranks at once.
double seconds_over_nodes(const Choice& choice, const Problem& problem, const Shape& shape) {
  Choice among_nodes = choice;
  among_nodes.leaders = 0;
  const double leaders = leaders_among(choice.leaders, *ranks_by_node(shape));
  const double ranks_per_node = static_cast<double>(shape.size) / ranks_by_node(shape)->nodes();
  const double copied = 2 * static_cast<double>(problem.bytes()) * ranks_per_node / leaders;
  return estimated_seconds(among_nodes, problem, shape_of_nodes(shape)) + copied / memory_bytes_per_second;
}

}  // namespace

bool can_be_estimated(const Shape& shape) {
  return shape.network != nullptr && (shape.network->is_connected() || !shape.network->sites().empty());
}

bool can_be_played(const Shape& shape) { return can_be_estimated(shape) && shape.size <= max_played_ranks; }

double estimated_seconds(const Choice& choice, const Problem& problem, const Shape& shape) {
  if (choice.leaders > 0 && !can_be_played(shape)) return seconds_over_nodes(choice, problem, shape);
  return can_be_played(shape) ? played_seconds(choice, problem, shape) : sampled_seconds(choice, problem, shape);
}

}  // namespace espalier
