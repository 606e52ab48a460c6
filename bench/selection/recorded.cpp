// SPDX-License-Identifier: Apache-2.0
#include "selection/recorded.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "tuning/evidence/assumptions.hpp"

namespace espalier::selection {

namespace {

std::vector<double> read_logs(std::istream& text, std::size_t calls) {
  std::vector<double> logs(calls);
  for (double& log : logs) {
    double seconds = 0;
    if (!(text >> seconds) || !(seconds > 0)) throw std::invalid_argument("a recorded time is missing, or not above 0");
    log = std::log(seconds);
  }
  return logs;
}

double log_of_mean(const std::vector<double>& logs) {
  const double sum =
      std::accumulate(logs.begin(), logs.end(), 0., [](double so_far, double log) { return so_far + std::exp(log); });
  return std::log(sum / static_cast<double>(logs.size()));
}

}  // namespace

std::vector<Instance> read_recorded(std::istream& text, std::size_t calls) {
  std::vector<Instance> instances;
  std::size_t candidates = 0, recorded_calls = 0;
  while (text >> candidates >> recorded_calls) {
    if (candidates == 0 || recorded_calls == 0) throw std::invalid_argument("a recorded context is empty");
    Instance instance{.change = calls,
                      .level = std::vector<double>(calls),
                      .noise = std::vector<double>(calls),
                      .spikes = std::vector<double>(calls),
                      .noise_sd = std::vector<double>(candidates),
                      .first_call = std::vector<double>(candidates),
                      .probe_error = std::vector<double>(candidates),
                      .estimates = std::vector<double>(candidates),
                      .estimate_error = tuning::Assumptions{}.blind_estimate_sd};
    for (std::size_t a = 0; a < candidates; ++a) {
      instance.recorded.push_back(read_logs(text, recorded_calls));
      instance.own.push_back(log_of_mean(instance.recorded.back()));
    }
    instance.own_later = instance.own;
    instances.push_back(std::move(instance));
  }
  return instances;
}

}  // namespace espalier::selection
