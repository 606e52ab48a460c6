// SPDX-License-Identifier: Apache-2.0
// verify: proves algorithms for many rank counts, roots and ways to cut the message.
#include <cstdio>
#include <memory>
#include <thread>

#include "tool/output.hpp"
#include "tool/requests.hpp"
#include "verify/sweep.hpp"

namespace espalier::tool {

namespace {

struct Options {
  bool all = false;
  std::vector<std::string> algorithms;
  std::vector<Rank> sizes;
  bool progress = false;
};

constexpr Rank most_ranks = 256;  // the proof of a single case then takes seconds

// One line of JSON each time, for whoever draws a bar.
void print_progress(const SweepProgress& progress) {
  const Json json = {{"done", progress.done}, {"total", progress.total}, {"failures", progress.failures}};
  std::fprintf(stderr, "%s\n", json.dump().c_str());
}

SweepOptions sweep_options(const Options& options) {
  SweepOptions sweep_options;
  sweep_options.sizes = options.sizes;
  sweep_options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (options.progress) sweep_options.progress = print_progress;
  return sweep_options;
}

SweepResult prove(const Options& options) {
  if (options.all != options.algorithms.empty()) throw BadRequest("verify: allowed: --all, or names of algorithms");
  if (options.all) return sweep(sweep_options(options));
  SweepResult sum;
  std::vector<const Algorithm*> algorithms;
  for (const std::string& name : options.algorithms) algorithms.push_back(&requested_algorithm(name));
  for (std::size_t k = 0; k < algorithms.size(); ++k) {
    SweepOptions one = sweep_options(options);
    one.collective = algorithms[k]->collective;
    one.algorithm = algorithms[k]->name;
    if (options.progress) {
      one.progress = [&](SweepProgress progress) {
        print_progress({k * progress.total + progress.done, algorithms.size() * progress.total,
                        sum.failures.size() + progress.failures});
      };
    }
    SweepResult result = sweep(one);
    sum.schedules += result.schedules;
    sum.events += result.events;
    sum.seconds += result.seconds;
    sum.failures.insert(sum.failures.end(), result.failures.begin(), result.failures.end());
  }
  return sum;
}

Json as_json(const SweepResult& result) {
  Json failed = Json::array();
  for (const SweepFailure& failure : result.failures)
    failed.push_back({{"where", failure.where}, {"error", failure.error}});
  return {{"schedules", result.schedules},
          {"failures", result.failures.size()},
          {"seconds", result.seconds},
          {"events", result.events},
          {"failed", failed}};
}

std::string as_text(const SweepResult& result) {
  constexpr std::size_t most_shown = 20;
  std::string text;
  for (std::size_t k = 0; k < std::min(most_shown, result.failures.size()); ++k) {
    text += result.failures[k].where + ":\n  " + result.failures[k].error + "\n";
  }
  if (result.failures.size() > most_shown) {
    text += "... and " + std::to_string(result.failures.size() - most_shown) + " more (--json has all)\n";
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", result.seconds);
  const std::string count = std::to_string(result.schedules);
  if (result.failures.empty()) return text + count + " schedules proved in " + seconds + " s\n";
  return text + std::to_string(result.failures.size()) + " of " + count + " schedules are wrong (" + seconds + " s)\n";
}

void verify(const Options& options, bool json) {
  const SweepResult result = prove(options);
  if (json) {
    print_json(as_json(result));
  } else {
    print(as_text(result));
  }
  if (!result.failures.empty()) throw FoundWrong();
}

}  // namespace

void add_verify(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Proves schedules for many rank counts, roots and cuts.");
  const auto options = std::make_shared<Options>();
  command->add_flag("--all", options->all, "Every algorithm");
  command->add_option("algorithms", options->algorithms, "COLLECTIVE:ALGORITHM, for example allreduce:ring");
  command->add_option("--ranks", options->sizes, "Rank counts, such as 5,8. Default: 1 to 33, and 64")
      ->delimiter(',')
      ->check(CLI::Range(1, most_ranks));
  command->add_flag("--progress", options->progress, "Print progress as lines of JSON on standard error");
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] { verify(*options, json->count() > 0); });
}

}  // namespace espalier::tool
