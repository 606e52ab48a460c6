// SPDX-License-Identifier: Apache-2.0
// verify: proves algorithms for many rank counts, roots and choices of how to cut the message.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "tool/commands/brief_proof.hpp"
#include "tool/commands/sweeping.hpp"
#include "tool/networks.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

struct VerifyOptions {
  bool all = false;
  std::vector<std::string> algorithms;
  std::vector<Rank> sizes;
  bool progress = false;
  NetworkOptions network;
};

SweepOptions sweep_of(const Algorithm* algorithm, const VerifyOptions& options) {
  SweepOptions one = sweep_options(algorithm);
  one.sizes = options.sizes;
  one.over_nodes = options.sizes.empty();
  return one;
}

// Of algorithms that are named; there is something to prove of each.
std::size_t count_parts(const VerifyOptions& options, const std::vector<const Algorithm*>& algorithms) {
  std::size_t parts = 0;
  for (const Algorithm* algorithm : algorithms) {
    const std::size_t of_this = sweep_shapes(*algorithm, sweep_of(algorithm, options)).size();
    if (of_this == 0) throw BadRequest(full_name(*algorithm) + " takes a power of two of ranks; such as --ranks 4,8");
    parts += of_this;
  }
  return parts;
}

// One case of each: on a network, or among more ranks than are swept.
SweepResult prove_in_brief(const VerifyOptions& options, const std::vector<const Algorithm*>& algorithms) {
  std::unique_ptr<const Network> network;
  if (options.network.given()) network = one_rank_per_node(requested_machine(options.network));
  SweepResult sum;
  for (const Algorithm* algorithm : algorithms) {
    if (network != nullptr) add_brief_proof(*algorithm, {.size = network->nodes(), .network = network.get()}, sum);
    for (const Rank size : options.sizes) add_brief_proof(*algorithm, {.size = size}, sum);
  }
  return sum;
}

bool is_brief(const VerifyOptions& options) {
  if (options.network.given()) return true;
  return !options.sizes.empty() && std::ranges::max(options.sizes) > max_swept_ranks;
}

void check_brief(const VerifyOptions& options) {
  if (options.all) throw BadRequest("verify --all: not on a network, nor above 1024 ranks; allowed: named algorithms");
  if (options.network.given() && !options.sizes.empty())
    throw BadRequest("--ranks: the network says how many there are");
}

SweepResult prove(const VerifyOptions& options, const std::vector<const Algorithm*>& algorithms) {
  const std::size_t parts = options.all ? 0 : count_parts(options, algorithms);
  SweepResult sum;
  std::size_t done = 0;
  for (const Algorithm* algorithm : algorithms) {
    SweepOptions one = sweep_of(algorithm, options);
    std::size_t done_of_this = 0;
    if (options.progress) {
      one.progress = [&](const SweepProgress& progress) {
        done_of_this = progress.done;
        print_progress(
            {done + progress.done, std::max(parts, progress.total), sum.failures.size() + progress.failures});
      };
    }
    const SweepResult result = sweep(one);
    done += done_of_this;
    sum.schedules += result.schedules;
    sum.events += result.events;
    sum.seconds += result.seconds;
    sum.failures.insert(sum.failures.end(), result.failures.begin(), result.failures.end());
  }
  return sum;
}

std::vector<const Algorithm*> requested(const VerifyOptions& options) {
  if (options.all != options.algorithms.empty()) throw BadRequest("verify: allowed: --all, or names of algorithms");
  if (options.all) return {nullptr};
  std::vector<const Algorithm*> algorithms;
  for (const std::string& name : options.algorithms) algorithms.push_back(&requested_algorithm(name));
  return algorithms;
}

Json as_json(const SweepResult& result, bool in_brief) {
  Json failed = Json::array();
  for (const SweepFailure& failure : result.failures)
    failed.push_back({{"where", failure.where}, {"error", failure.error}});
  Json json = {{"schedules", result.schedules},
               {"failures", result.failures.size()},
               {"seconds", result.seconds},
               {"events", result.events},
               {"failed", failed}};
  if (in_brief) json["left_out"] = left_out_in_brief;
  return json;
}

std::string as_text(const SweepResult& result) {
  constexpr std::size_t max_shown = 20;
  std::string text;
  for (std::size_t k = 0; k < std::min(max_shown, result.failures.size()); ++k) {
    text += result.failures[k].where + ":\n  " + result.failures[k].error + "\n";
  }
  if (result.failures.size() > max_shown) {
    text += "... and " + std::to_string(result.failures.size() - max_shown) + " more (--json has all)\n";
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", result.seconds);
  const std::string count = std::to_string(result.schedules);
  if (result.failures.empty()) return text + count + " schedules proved in " + seconds + " s\n";
  return text + std::to_string(result.failures.size()) + " of " + count + " schedules are wrong (" + seconds + " s)\n";
}

void verify(const VerifyOptions& options, bool json) {
  const bool in_brief = is_brief(options);
  if (in_brief) check_brief(options);
  const std::vector<const Algorithm*> algorithms = requested(options);
  const SweepResult result = in_brief ? prove_in_brief(options, algorithms) : prove(options, algorithms);
  if (json) {
    print_json(as_json(result, in_brief));
  } else {
    print(as_text(result) + (in_brief ? "Left out: " + std::string(left_out_in_brief) + ".\n" : ""));
  }
  if (!result.failures.empty()) throw FoundWrong();
}

}  // namespace

void add_verify(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Proves schedules for many rank counts, roots and cuts.");
  const auto options = std::make_shared<VerifyOptions>();
  command->add_flag("--all", options->all, "Every algorithm");
  command->add_option("algorithms", options->algorithms, "COLLECTIVE:ALGORITHM, for example allreduce:ring");
  command
      ->add_option("--ranks", options->sizes,
                   "Rank counts, such as 5,8. Default: 1 to 33, and 64. Above 1024: one case")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, max_proved_ranks));
  add_network_options(*command, options->network);
  command->add_flag("--progress", options->progress, "Print progress as lines of JSON on standard error");
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] { verify(*options, json->count() > 0); });
}

}  // namespace espalier::tool
