// SPDX-License-Identifier: Apache-2.0
#include "selection/recorded_study.hpp"

#include <cstdio>
#include <utility>

#include "selection/kin_of_job.hpp"
#include "selection/policies.hpp"
#include "selection/synthetic_study.hpp"
#include "selection/trial.hpp"

namespace espalier::selection {

namespace {

constexpr std::uint64_t seed_of_order = 38;
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

void play(const RecordedMachine& machine, RecordedContext& context, const Policy& policy, KinOfJob& kin) {
  context.instance.by_kin = policy.asks_kin ? kin.expected(context) : std::vector<tuning::Estimate>{};
  const auto tuner = policy.make(context.instance);
  const Trial trial = run(*tuner, context.instance, Prices{});
  for (const std::size_t calls : marks) {
    if (calls <= context.instance.calls()) print(machine, context, policy, trial, calls);
  }
  if (policy.asks_kin) kin.learn(context, *tuner);
}

// Drawn: what a job calls first is not known.
void shuffle(std::vector<RecordedContext>& contexts) {
  Random random(seed_of_order);
  for (std::size_t left = contexts.size(); left > 1; --left)
    std::swap(contexts[left - 1], contexts[random.below(left)]);
}

}  // namespace

std::size_t steps_of_recorded_study() { return policies().size(); }

void run(RecordedMachine& machine, const std::function<void()>& show_progress) {
  shuffle(machine.contexts);
  for (const Policy& policy : policies()) {
    for (const bool own : {false, true}) {
      KinOfJob kin;
      for (RecordedContext& context : machine.contexts) {
        context.instance.counts_own_calls = own;
        play(machine, context, policy, kin);
      }
    }
    show_progress();
  }
}

}  // namespace espalier::selection
