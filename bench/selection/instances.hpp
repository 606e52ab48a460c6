// SPDX-License-Identifier: Apache-2.0
// Synthetic contexts: how long each candidate would take at each call.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "selection/random.hpp"
#include "tuning/candidate.hpp"

namespace espalier::selection {

struct Instance {
  std::vector<double> own, own_later;         // logs of the candidates' times, before and after a change
  std::size_t change = 0;                     // the first call after it
  std::vector<double> level;                  // log added at each call, whichever candidate runs
  std::vector<double> noise, spikes;          // of each call: in standard deviations; in logs
  std::vector<double> noise_sd;               // of each candidate
  std::vector<double> first_call;             // logs added to its first call
  std::vector<double> estimates;              // logs by a model, which the tuner is given
  double estimate_error = 0;                  // how wrong the tuner is told that they are (standard deviation)
  std::vector<tuning::Estimate> by_kin;       // instead of them, where contexts of other sizes have been played
  double carry_over = 0;                      // share of a call's time that is as the call before would take
  std::vector<std::vector<double>> recorded;  // logs of each candidate's calls; empty: as said above

  [[nodiscard]] std::size_t candidates() const { return own.size(); }
  [[nodiscard]] std::size_t calls() const { return level.size(); }
  bool counts_own_calls = false;  // what is recorded is taken call by call of the candidate; or of all

  // `nth`: how many calls the candidate has had before that one.
  [[nodiscard]] double log_mean(std::size_t call, std::size_t candidate, std::size_t nth) const {
    if (!recorded.empty()) return recorded[candidate][counts_own_calls ? nth : call];
    return (call < change ? own : own_later)[candidate] + level[call] + (nth == 0 ? first_call[candidate] : 0);
  }
};

struct Family {
  std::string_view name, description;
  std::size_t candidates = 14;
  void (*shape)(Instance&, Random&) = nullptr;    // the candidates' times; null: the default
  void (*trouble)(Instance&, Random&) = nullptr;  // what else is special; after the estimates were made
};

[[nodiscard]] const std::vector<Family>& families();

// Equal for equal arguments, on every machine.
[[nodiscard]] Instance make_instance(const Family& family, std::size_t calls, double estimate_sd, std::uint64_t seed);

}  // namespace espalier::selection
