// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier::arrival {

namespace {

// Of the time from the first entry to the last exit; from step to step.
constexpr double largest = 1, finer = .9;
constexpr int steps = 88;  // to a ten-thousandth
// How much of a transfer keeps the sender busy: a short message, a link that is shared by halves, one that is not.
constexpr double busy_shares[] = {.1, .5, 1};

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

}  // namespace

Transfer fitted_transfer(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
                         std::span<const double> left, Transfer like) {
  const double all = std::ranges::max(left) - std::ranges::min(arrivals);
  Transfer best = like;
  double least = std::numeric_limits<double>::infinity();
  Wave wave;
  double share = largest;
  for (int step = 0; step < steps; ++step, share *= finer) {
    for (const double busy_share : busy_shares) {
      like.seconds = share * all;
      like.busy_seconds = busy_share * like.seconds;
      play(tree, arrangement, arrivals, like, wave);
      const double off = distance(wave.left, left);
      if (off < least) least = off, best = like;
    }
  }
  return best;
}

Transfer transfer_of_another_choice(const PlaceTree& tree, std::span<const double> arrivals,
                                    std::span<const double> left, Transfer like) {
  const std::vector<double> at_once(arrivals.size());
  like.seconds = like.busy_seconds = 1;
  const double unit = play(tree, Arrangement(tree.size()), at_once, like).overall;
  const double taken = std::max(0.0, std::ranges::max(left) - std::ranges::max(arrivals));
  like.seconds = like.busy_seconds = unit > 0 ? taken / unit : taken;
  return like;
}

}  // namespace espalier::arrival
