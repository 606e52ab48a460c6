// SPDX-License-Identifier: Apache-2.0
#include "selection/synthetic_study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "selection/policies.hpp"
#include "selection/trial.hpp"

namespace espalier::selection {

namespace {

constexpr double estimate_errors[] = {.10, .25, .50};
const double three_percent = std::log(1.03);

// Over all instances, after so many calls.
struct Outcomes {
  double over_oracle = 0;  // sum
  int within_three_percent = 0;
  std::vector<double> over_native;

  [[nodiscard]] double quantile(double share) {
    std::ranges::sort(over_native);
    const auto place = static_cast<std::size_t>(share * static_cast<double>(over_native.size()));
    return over_native[std::min(place, over_native.size() - 1)];
  }
};

bool is_good(const Instance& instance, std::size_t call, int candidate) {
  const auto& own = call < instance.change ? instance.own : instance.own_later;
  return own[static_cast<std::size_t>(candidate)] <= own[best_at(instance, call)] + three_percent;
}

void add(Outcomes& outcomes, const Instance& instance, const Trial& trial, std::size_t calls) {
  outcomes.over_oracle += trial.spent[calls] / oracle(instance)[calls] - 1;
  outcomes.over_native.push_back(trial.spent[calls] / fixed(instance, 0)[calls] - 1);
  if (is_good(instance, calls - 1, trial.incumbents[calls - 1])) ++outcomes.within_three_percent;
}

void print(const Policy& policy, const Family& family, double error, std::size_t calls, std::size_t instances,
           Outcomes& outcomes) {
  const auto all = static_cast<double>(instances);
  std::printf(
      "{\"policy\": \"%s\", \"family\": \"%s\", \"description\": \"%s\", \"candidates\": %zu, \"prior_error\": %.2f, "
      "\"calls\": %zu, \"over_oracle\": %.5f, \"over_native_median\": %.5f, \"over_native_p99\": %.5f, "
      "\"final_within_3_percent\": %.4f}\n",
      policy.name, std::string(family.name).c_str(), std::string(family.description).c_str(), family.candidates, error,
      calls, outcomes.over_oracle / all, outcomes.quantile(.5), outcomes.quantile(.99),
      outcomes.within_three_percent / all);
}

void run(const Policy& policy, const Family& family, double error, const SyntheticStudy& study) {
  std::vector<Outcomes> outcomes(std::size(marks));
  for (std::size_t i = 0; i < study.instances; ++i) {
    const Instance instance = make_instance(family, study.calls, error, study.seed + i);
    const auto tuner = policy.make(instance);
    const Trial trial = run(*tuner, instance, Prices{});
    for (std::size_t mark = 0; mark < std::size(marks); ++mark) {
      if (marks[mark] <= study.calls) add(outcomes[mark], instance, trial, marks[mark]);
    }
  }
  for (std::size_t mark = 0; mark < std::size(marks) && marks[mark] <= study.calls; ++mark) {
    print(policy, family, error, marks[mark], study.instances, outcomes[mark]);
  }
}

}  // namespace

std::size_t steps_of_synthetic_study() { return families().size() * std::size(estimate_errors) * policies().size(); }

void run(const SyntheticStudy& study, const std::function<void()>& show_progress) {
  for (const double error : estimate_errors) {
    for (const Family& family : families()) {
      for (const Policy& policy : policies()) {
        run(policy, family, error, study);
        show_progress();
      }
    }
  }
}

}  // namespace espalier::selection
