// SPDX-License-Identifier: Apache-2.0
// What choosing at run time costs, by policy and kind of context:
//     espalier-bench-selection [INSTANCES [CALLS [SEED [RECORDED]]]]
// RECORDED: a file of contexts whose times were recorded (recorded.hpp).
// All policies meet the same instances. A line of JSON for each policy, family, error of the estimates and number of
// calls; ratios less 1. Progress goes to standard error: done/all.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "selection/recorded.hpp"
#include "selection/trial.hpp"
#include "tuning/race.hpp"
#include "tuning/star.hpp"

namespace espalier::selection {

namespace {

constexpr std::size_t marks[] = {100, 300, 1000, 10000};
constexpr double estimate_errors[] = {.10, .25, .50};
const double three_percent = std::log(1.03);

using MakeTuner = std::function<std::unique_ptr<tuning::Tuner>(const Instance&)>;

struct Policy {
  const char* name;
  MakeTuner make;
};

int candidates_of(const Instance& instance) { return static_cast<int>(instance.candidates()); }

MakeTuner in_turn(const tuning::TimingRounds& rounds) {
  return
      [rounds](const Instance& instance) { return std::make_unique<tuning::InTurn>(candidates_of(instance), rounds); };
}

class Fixed : public tuning::Tuner {
 public:
  explicit Fixed(int candidate) {
    plan_.calls.assign(1, candidate);
    plan_.incumbent = candidate;
    plan_.permanently = true;
  }
  void learn(const tuning::Timings& /*timings*/) override {}
  [[nodiscard]] tuning::Opinion opinion(int /*candidate*/) const override { return {}; }
};

std::unique_ptr<tuning::Tuner> best_by_estimate(const Instance& instance) {
  const auto best = std::ranges::min_element(instance.estimates) - instance.estimates.begin();
  return std::make_unique<Fixed>(static_cast<int>(best));
}

std::unique_ptr<tuning::Tuner> race(const Instance& instance) {
  std::vector<tuning::Estimate> estimates;
  for (const double each : instance.estimates) estimates.push_back({each, instance.estimate_error});
  return std::make_unique<tuning::Race>(estimates, 0, true);
}

const Policy policies[] = {
    {"native", [](const Instance&) { return std::make_unique<Fixed>(0); }},
    {"estimate", best_by_estimate},
    {"star", [](const Instance& instance) { return std::make_unique<tuning::Star>(candidates_of(instance)); }},
    {"adcl", in_turn(tuning::rounds_of_adcl)},
    {"intel", in_turn(tuning::rounds_of_intel)},
    {"race", race},
};

// Over all instances, after this many calls.
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

struct Study {
  std::size_t instances = 400, calls = 1000;
  std::uint64_t seed = 4711;
  std::vector<Instance> recorded;
};

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

void run(const Policy& policy, const Family& family, double error, std::size_t calls, std::size_t instances,
         const std::function<Instance(std::size_t)>& instance_of) {
  std::vector<Outcomes> outcomes(std::size(marks));
  for (std::size_t i = 0; i < instances; ++i) {
    const Instance instance = instance_of(i);
    const auto tuner = policy.make(instance);
    const Trial trial = run(*tuner, instance, Prices{});
    for (std::size_t mark = 0; mark < std::size(marks); ++mark) {
      if (marks[mark] <= calls) add(outcomes[mark], instance, trial, marks[mark]);
    }
  }
  for (std::size_t mark = 0; mark < std::size(marks) && marks[mark] <= calls; ++mark) {
    print(policy, family, error, marks[mark], instances, outcomes[mark]);
  }
}

// Nothing is estimated of them.
constexpr double error_of_recorded = 0;
const Family recorded_family = {"recorded", "timings recorded in the lab"};

void run_all(const Study& study) {
  const std::size_t kinds = families().size() * std::size(estimate_errors) + (study.recorded.empty() ? 0 : 1);
  const std::size_t all = std::size(policies) * kinds;
  std::size_t done = 0;
  const auto show = [&] { std::fprintf(stderr, "%zu/%zu\n", ++done, all); };
  for (const double error : estimate_errors) {
    for (const Family& family : families()) {
      for (const Policy& policy : policies) {
        run(policy, family, error, study.calls, study.instances,
            [&](std::size_t i) { return make_instance(family, study.calls, error, study.seed + i); });
        show();
      }
    }
  }
  if (study.recorded.empty()) return;
  for (const Policy& policy : policies) {
    run(policy, recorded_family, error_of_recorded, study.calls, study.recorded.size(),
        [&](std::size_t i) { return study.recorded[i]; });
    show();
  }
}

}  // namespace

}  // namespace espalier::selection

int main(int argc, char** argv) {
  espalier::selection::Study study;
  if (argc > 1) study.instances = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) study.calls = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) study.seed = std::strtoull(argv[3], nullptr, 10);
  try {
    if (argc > 4) {
      std::ifstream file(argv[4]);
      study.recorded = espalier::selection::read_recorded(file, study.calls);
    }
    espalier::selection::run_all(study);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier-bench-selection: %s\n", error.what());
    return 1;
  }
}
