// SPDX-License-Identifier: Apache-2.0
// mutate: how good the verifier is. Schedules are spoilt in every small respect, and each mutant must be caught or be
// right.
#include "verify/mutate.hpp"

#include <cstdio>
#include <memory>

#include "tool/commands/sweeping.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

struct MutateOptions {
  bool all = false;
  std::string algorithm;
  MutationOptions mutation;
  bool progress = false;
};

Json as_json(const MutationCount& count) {
  return {{"made", count.made},
          {"caught", count.caught},
          {"harmless", count.harmless},
          {"tried", count.tried},
          {"refuted", count.refuted}};
}

Json as_json(const MutationResult& result) {
  Json json = as_json(result.total());
  json["seconds"] = result.seconds;
  for (int k = 0; k < mutation_kinds; ++k) {
    json["mutations"][std::string(name_of(static_cast<Mutation>(k)))] = as_json(result.counts[k]);
  }
  json["refutations"] = result.refutations;
  return json;
}

std::vector<std::string> as_row(std::string_view name, const MutationCount& count) {
  return {std::string(name), std::to_string(count.made), std::to_string(count.caught), std::to_string(count.harmless),
          std::to_string(count.tried)};
}

std::string as_text(const MutationResult& result) {
  TextTable table = {{"mutation", "made", "caught", "proved harmless", "of these run"}};
  for (int k = 0; k < mutation_kinds; ++k) {
    table.push_back(as_row(name_of(static_cast<Mutation>(k)), result.counts[k]));
  }
  table.push_back(as_row("all", result.total()));
  std::string text = format_table(table) + "\n";
  for (const std::string& refutation : result.refutations) text += refutation + "\n";
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", result.seconds);
  if (result.total().refuted == 0) return text + "The verifier was never wrong (" + seconds + " s).\n";
  return text + std::to_string(result.total().refuted) + " mutants were proved harmless and then went wrong.\n";
}

void mutate(MutateOptions options, bool json) {
  if (options.all != options.algorithm.empty()) throw BadRequest("mutate: allowed: --all, or the name of an algorithm");
  options.mutation.sweep = sweep_options(options.all ? nullptr : &requested_algorithm(options.algorithm));
  if (options.progress) options.mutation.sweep.progress = print_progress;
  const MutationResult result = espalier::mutate(options.mutation);
  if (json) {
    print_json(as_json(result));
  } else {
    print(as_text(result));
  }
  if (result.total().refuted > 0) throw FoundWrong();
}

}  // namespace

void add_mutate(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("mutate", "Spoils schedules in every small respect and counts what is noticed.");
  const auto options = std::make_shared<MutateOptions>();
  MutationOptions& mutation = options->mutation;
  command->add_flag("--all", options->all, "Every algorithm");
  command->add_option("algorithm", options->algorithm, "COLLECTIVE:ALGORITHM, for example allreduce:ring");
  command->add_option("--ranks", mutation.sizes, "Rank counts, such as 5,8")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, max_swept_ranks))
      ->capture_default_str();
  command->add_option("--most-per-case", mutation.max_per_case, "Take this many mutants of a case at random; 0: all")
      ->capture_default_str();
  command->add_option("--trials", mutation.trials, "How often a harmless mutant is run")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--trial-share", mutation.trial_share, "Run one of the given number of harmless mutants")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--seed", mutation.seed, "Of all random numbers")->capture_default_str();
  command->add_flag("--progress", options->progress, "Print progress as lines of JSON on standard error");
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] { mutate(*options, json->count() > 0); });
}

}  // namespace espalier::tool
