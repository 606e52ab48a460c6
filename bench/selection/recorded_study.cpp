// SPDX-License-Identifier: Apache-2.0
#include "selection/recorded_study.hpp"

#include <cstdio>

#include "selection/policies.hpp"
#include "selection/synthetic_study.hpp"
#include "selection/trial.hpp"

namespace espalier::selection {

namespace {

constexpr const char* counted_by[] = {"job", "candidate"};

void print(const RecordedMachine& machine, const RecordedContext& context, const Policy& policy, const Trial& trial,
           std::size_t calls) {
  const double over_oracle = trial.spent[calls] / oracle(context.instance)[calls] - 1;
  const double over_native = trial.spent[calls] / fixed(context.instance, 0)[calls] - 1;
  const auto incumbent = static_cast<std::size_t>(trial.incumbents[calls - 1]);
  std::printf(
      "{\"machine\": \"%s\", \"job\": \"%s\", \"collective\": \"%s\", \"bytes\": %zu, \"candidates\": %zu, "
      "\"counted_by\": \"%s\", \"policy\": \"%s\", \"calls\": %zu, \"over_oracle\": %.5f, \"over_native\": %.5f, "
      "\"incumbent\": \"%s\"}\n",
      machine.name.c_str(), context.job.c_str(), context.collective.c_str(), context.bytes, context.names.size(),
      counted_by[context.instance.counts_own_calls ? 1 : 0], policy.name, calls, over_oracle, over_native,
      context.names[incumbent].c_str());
}

void play(const RecordedMachine& machine, const RecordedContext& context, const Policy& policy) {
  const auto tuner = policy.make(context.instance);
  const Trial trial = run(*tuner, context.instance, Prices{});
  for (const std::size_t calls : marks) {
    if (calls <= context.instance.calls()) print(machine, context, policy, trial, calls);
  }
}

}  // namespace

std::size_t steps_of_recorded_study() { return policies().size(); }

void run(RecordedMachine& machine, const std::function<void()>& show_progress) {
  for (const Policy& policy : policies()) {
    for (RecordedContext& context : machine.contexts) {
      for (const bool own : {false, true}) {
        context.instance.counts_own_calls = own;
        play(machine, context, policy);
      }
    }
    show_progress();
  }
}

}  // namespace espalier::selection
