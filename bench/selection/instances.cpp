// SPDX-License-Identifier: Apache-2.0
#include "selection/instances.hpp"

#include <algorithm>

#include "tuning/evidence/assumptions.hpp"

namespace espalier::selection {

namespace {

constexpr double default_noise_sd = .08;
constexpr double spike_share = .02;
constexpr double error_of_assumed_network = .4;  // from it on, the tuner knows that estimates are no better

std::size_t best_of(const std::vector<double>& own) {
  return static_cast<std::size_t>(std::ranges::min_element(own) - own.begin());
}

void spread(Instance& instance, Random& random, double sd) {
  for (double& log : instance.own) log = std::abs(random.normal(sd));
}

void baseline(Instance& instance, Random& random) { spread(instance, random, instance.candidates() == 10 ? .6 : .8); }

void best_is_twice_as_fast(Instance& instance, Random& random) {
  baseline(instance, random);
  const double least = *std::ranges::min_element(instance.own);
  for (double& log : instance.own) log -= least;
  if (best_of(instance.own) == 0) std::swap(instance.own[0], instance.own[1]);
  instance.own[0] = std::log(random.between(2, 3));
}

void native_is_best(Instance& instance, Random& random) {
  spread(instance, random, .56);
  for (double& log : instance.own) log += std::log(1.02);
  instance.own[0] = 0;
}

void one_is_slow(Instance& instance, Random& random) {
  native_is_best(instance, random);
  if (random.happens(.5)) instance.own[1] = -random.between(.05, .5);
  instance.own[2] = std::log(random.between(10, 50));
}

void near_ties(Instance& instance, Random& random) {
  for (double& log : instance.own) log = random.between(0, .05) + (random.happens(.4) ? random.between(.1, 1) : 0);
}

// The slow one looks like the others to the model.
void hide_the_slow_one(Instance& instance, Random& random) { instance.estimates[2] = random.normal(.25); }

void mispredict_families(Instance& instance, Random& random) {
  double error[4];
  for (double& each : error) each = random.normal(.6);
  for (std::size_t a = 1; a < instance.candidates(); ++a) instance.estimates[a] += error[random.below(4)];
}

void drift(Instance& instance, Random& random) {
  constexpr double memory = .995;
  const double step = .12 * std::sqrt(1 - memory * memory);
  double level = 0;
  for (double& each : instance.level) each = level = memory * level + random.normal(step);
}

void noisy_phases(Instance& instance, Random& random) {
  for (std::size_t call = 0; call < instance.calls();) {
    call += static_cast<std::size_t>(random.exponential(400));
    const std::size_t end = std::min(instance.calls(), call + static_cast<std::size_t>(random.exponential(30)) + 1);
    const double more = random.between(.1, .5);
    for (; call < end; ++call) {
      instance.level[call] += more;
      if (random.happens(.2)) instance.spikes[call] = std::max(instance.spikes[call], random.between(.3, 1.5));
    }
  }
}

void drift_and_phases(Instance& instance, Random& random) {
  drift(instance, random);
  noisy_phases(instance, random);
}

void two_patterns(Instance& instance, Random& random) {
  const std::size_t period = 2 + random.below(4);
  const std::size_t slow = std::max<std::size_t>(1, period / 2);
  const double more = random.between(.4, 1);
  for (std::size_t call = 0; call < instance.calls(); ++call) instance.level[call] = call % period < slow ? more : 0;
}

void warm_up(Instance& instance, Random& random) {
  for (double& log : instance.first_call) log = std::log(random.between(3, 10));
}

void best_becomes_slower(Instance& instance, Random& random) {
  instance.change = 200 + random.below(500);
  instance.own_later[best_of(instance.own)] += std::log(random.between(1.2, 2));
}

// Messages and late ranks are left to the next call.
void carry_over(Instance& instance, Random& random) { instance.carry_over = random.between(.3, .7); }

void unequal_noise(Instance& instance, Random& random) {
  for (double& sd : instance.noise_sd) sd = std::exp(random.between(std::log(.02), std::log(.3)));
}

Instance default_instance(std::size_t candidates, std::size_t calls, Random& random) {
  Instance instance{.own = std::vector<double>(candidates),
                    .change = calls,
                    .level = std::vector<double>(calls),
                    .noise_sd = std::vector<double>(candidates, default_noise_sd),
                    .first_call = std::vector<double>(candidates)};
  for (std::size_t call = 0; call < calls; ++call) {
    instance.noise.push_back(random.normal(1));
    instance.spikes.push_back(random.happens(spike_share) ? std::log(std::min(20.0, 2 + random.pareto(1.5))) : 0);
  }
  return instance;
}

void estimate(Instance& instance, double sd, Random& random) {
  const double least = *std::ranges::min_element(instance.own);
  for (double& log : instance.own) {
    log -= least;
    instance.estimates.push_back(log + random.normal(sd));
  }
  instance.estimate_error =
      sd < error_of_assumed_network ? tuning::Assumptions{}.estimate_sd : tuning::Assumptions{}.blind_estimate_sd;
  instance.own_later = instance.own;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"usual10", "10 candidates", 10, baseline},
      {"usual14", "14 candidates", 14, baseline},
      {"best-2x", "the best is 2-3 times faster than native", 14, best_is_twice_as_fast},
      {"native-best", "native is the best", 14, native_is_best},
      {"ties", "most are within 5%", 14, near_ties},
      {"slow-known", "one is 10-50 times slower, and the model knows", 14, one_is_slow},
      {"slow-unknown", "one is 10-50 times slower, and the model does not know", 14, one_is_slow, hide_the_slow_one},
      {"biased", "the model errs alike for candidates of a family", 14, baseline, mispredict_families},
      {"drift", "the level drifts, with noisy phases", 14, baseline, drift_and_phases},
      {"step", "the best becomes slower by 20-100%", 14, baseline, best_becomes_slower},
      {"two-patterns", "calls of two kinds in turn", 14, baseline, two_patterns},
      {"warm-up", "first calls take 3-10 times as long", 14, baseline, warm_up},
      {"carry-over", "30-70% of a call's time is left to the next one", 14, baseline, carry_over},
      {"unequal-noise", "noise of 2% to 30%", 14, baseline, unequal_noise},
  };
  return all;
}

Instance make_instance(const Family& family, std::size_t calls, double estimate_sd, std::uint64_t seed) {
  Random random(seed);
  Instance instance = default_instance(family.candidates, calls, random);
  family.shape(instance, random);
  estimate(instance, estimate_sd, random);
  if (family.trouble != nullptr) family.trouble(instance, random);
  return instance;
}

}  // namespace espalier::selection
