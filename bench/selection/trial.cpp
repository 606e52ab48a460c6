// SPDX-License-Identifier: Apache-2.0
#include "selection/trial.hpp"

#include <algorithm>

namespace espalier::selection {

namespace {

class Running {
 public:
  Running(tuning::Tuner& tuner, const Instance& instance, const Prices& prices)
      : tuner_(tuner), instance_(instance), prices_(prices), runs_(instance.candidates()) {
    trial_.spent.assign(1, 0);
  }

  Trial run() {
    while (trial_.spent.size() <= instance_.calls()) run_block();
    return std::move(trial_);
  }

 private:
  void run_block() {
    const tuning::Plan& plan = tuner_.plan();
    calls_.clear();
    for (const int a : plan.calls) call(static_cast<std::size_t>(a), plan.incumbent);
    if (plan.permanently) return;
    const double overhead = prices_.agreement * std::exp(instance_.own[0]);
    trial_.spent.back() += overhead;
    ++trial_.agreements;
    tuner_.learn({.calls = calls_, .overhead = overhead});
  }

  // What is spent counts without noise, what is measured with it.
  void call(std::size_t a, int incumbent) {
    const std::size_t call = trial_.spent.size() - 1;
    if (call >= instance_.calls()) return calls_.push_back(1);
    const double own = std::exp(instance_.log_mean(call, a, runs_[a]));
    const double before = std::exp(instance_.log_mean(call, last_, std::max<std::size_t>(1, runs_[last_])));
    const double mean = std::log((1 - instance_.carry_over) * own + instance_.carry_over * before);
    ++runs_[a];
    last_ = a;
    calls_.push_back(std::exp(mean + instance_.noise_sd[a] * instance_.noise[call] + instance_.spikes[call]));
    trial_.spent.push_back(trial_.spent.back() + std::exp(mean));
    trial_.incumbents.push_back(incumbent);
  }

  tuning::Tuner& tuner_;
  const Instance& instance_;
  const Prices& prices_;
  std::vector<std::size_t> runs_;  // of each candidate
  std::size_t last_ = 0;
  std::vector<double> calls_;
  Trial trial_;
};

}  // namespace

Trial run(tuning::Tuner& tuner, const Instance& instance, const Prices& prices) {
  return Running(tuner, instance, prices).run();
}

std::vector<double> fixed(const Instance& instance, std::size_t candidate) {
  std::vector<double> spent(1, 0);
  for (std::size_t call = 0; call < instance.calls(); ++call) {
    spent.push_back(spent.back() + std::exp(instance.log_mean(call, candidate, call)));
  }
  return spent;
}

std::size_t best_at(const Instance& instance, std::size_t call) {
  const auto& own = call < instance.change ? instance.own : instance.own_later;
  return static_cast<std::size_t>(std::ranges::min_element(own) - own.begin());
}

std::vector<double> oracle(const Instance& instance) {
  std::vector<double> spent(1, 0);
  for (std::size_t call = 0; call < instance.calls(); ++call) {
    spent.push_back(spent.back() + std::exp(instance.log_mean(call, best_at(instance, call), call)));
  }
  return spent;
}

}  // namespace espalier::selection
