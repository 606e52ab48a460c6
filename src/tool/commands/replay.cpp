// SPDX-License-Identifier: Apache-2.0
// replay: decides again what a job decided by time, from what its report says was measured.
#include "policy/overlap.hpp"
#include "settings/number.hpp"
#include "tool/command.hpp"
#include "tool/output.hpp"
#include "tuning/race.hpp"

namespace espalier::tool {

namespace {

struct ReplayOptions {
  std::string file;
  bool json = false;
};

Json parsed(const std::string& text, const std::string& file) try {
  return Json::parse(text);
} catch (const Json::exception&) {
  throw BadRequest(file + ": it is no JSON; allowed: a report, as ESPALIER_REPORT names it");
}

tuning::Assumptions assumptions_of(const Json& report) {
  tuning::Assumptions assumptions;
  std::string budget = report.at("settings").at("ESPALIER_BUDGET");
  if (budget.ends_with('%')) budget.pop_back();
  assumptions.budget = parse_decimal(budget).value_or(1) / 100;
  return assumptions;
}

constexpr double max_log = 100, max_sd = 10, max_seconds = 1e9, max_run = 1e3, max_calls = 1e15;

double within(double value, double least, double most) {
  if (!(value >= least && value <= most)) throw BadRequest("a number in the report is out of range");
  return value;
}

double number_in(const Json& object, const char* name, double least, double most) {
  return within(object.at(name).get<double>(), least, most);
}

// Reports of older versions have none.
double set_up_seconds_of(const Json& candidate) {
  return candidate.contains("set_up_seconds") ? number_in(candidate, "set_up_seconds", 0, max_seconds) : 0;
}

// Calls that each time of a block stands for.
double run_of(const Json& block) { return block.contains("run") ? number_in(block, "run", 1, max_run) : 1; }
double first_run_of(const Json& context) {
  return context.at("blocks").empty() ? 1 : run_of(context.at("blocks").front());
}

tuning::Assumptions in_runs(const tuning::Assumptions& assumptions, const Json& context) {
  if (context.at("blocks").empty()) return assumptions;
  const Json& block = context.at("blocks").front();
  const double run = run_of(block);
  return run > 1 ? tuning::for_runs_of_calls(assumptions, run, number_in(block, "at", 0, max_calls)) : assumptions;
}

std::unique_ptr<tuning::Race> race_of(const Json& context, const tuning::Assumptions& baseline) {
  std::vector<tuning::Estimate> estimates;
  for (const Json& one : context.at("candidates")) {
    estimates.push_back({.log_seconds = number_in(one, "log_estimate", -max_log, max_log),
                         .sd = number_in(one, "estimate_sd", 0, max_sd),
                         .set_up_seconds = set_up_seconds_of(one) / first_run_of(context)});
  }
  const int first = context.at("first");
  if (estimates.empty() || first < 0 || first >= static_cast<int>(estimates.size())) return nullptr;
  const auto collective = collective_named(context.at("collective").get<std::string>());
  const bool is_overlapping = collective && calls_overlap(*collective, context.at("bytes").get<std::size_t>());
  return std::make_unique<tuning::Race>(
      estimates, first, is_overlapping ? tuning::for_overlapping_calls(baseline) : in_runs(baseline, context));
}

bool decides_so(const tuning::Race& race, const Json& block) {
  return race.plan().calls == block.at("calls").get<std::vector<int>>() &&
         race.plan().incumbent == block.at("incumbent").get<int>();
}

// How many blocks were decided again as they were; -1: the context was not chosen by such a race, or by several, since
// ranks were arranged again.
int blocks_decided_again(const Json& context, const tuning::Assumptions& assumptions) {
  if (context.at("policy") != "race" || context.contains("arrivals")) return -1;
  const auto race = race_of(context, assumptions);
  if (race == nullptr) return -1;
  int same = 0;
  for (const Json& block : context.at("blocks")) {
    if (!decides_so(*race, block)) return same;
    const auto seconds = block.at("seconds").get<std::vector<double>>();
    if (seconds.size() != race->plan().calls.size()) return same;
    for (const double each : seconds) (void)within(each, 0, max_seconds);
    const double run = run_of(block), once = run > 1 ? number_in(block, "once", 0, max_seconds) : 0;
    race->learn({.calls = seconds, .overhead = number_in(block, "beside", 0, max_seconds) / run, .once = once / run});
    ++same;
  }
  return same;
}

Json outcome_of(const Json& context, const tuning::Assumptions& assumptions) {
  const auto blocks = static_cast<int>(context.at("blocks").size());
  const int same = blocks_decided_again(context, assumptions);
  return {{"collective", context.at("collective").get<std::string>()},
          {"ranks", context.at("ranks")},
          {"bytes", context.at("bytes")},
          {"blocks", blocks},
          {"same", std::max(0, same)},
          {"is_race", same >= 0}};
}

std::string line_of(const Json& outcome) {
  const std::string name = outcome["collective"].get<std::string>() + " of " + outcome["bytes"].dump() +
                           " bytes among " + outcome["ranks"].dump() + " ranks: ";
  if (!outcome["is_race"].get<bool>()) return name + "no race\n";
  if (outcome["same"] == outcome["blocks"]) return name + outcome["blocks"].dump() + " blocks decided as they were\n";
  return name + "block " + outcome["same"].dump() + " of " + outcome["blocks"].dump() + " is decided otherwise\n";
}

void replay(const ReplayOptions& request) {
  const Json report = parsed(espalier::tool::text_of("FILE", request.file), request.file);
  Json outcomes = Json::array();
  try {
    const tuning::Assumptions assumptions = assumptions_of(report);
    for (const Json& context : report.at("contexts")) outcomes.push_back(outcome_of(context, assumptions));
  } catch (const Json::exception& error) {
    throw BadRequest(request.file + ": it is no report of this version: " + error.what());
  }
  if (request.json) {
    print_json({{"contexts", outcomes}});
  } else {
    for (const Json& outcome : outcomes) print(line_of(outcome));
  }
  for (const Json& outcome : outcomes) {
    if (outcome["is_race"].get<bool>() && outcome["same"] != outcome["blocks"]) throw FoundWrong();
  }
}

}  // namespace

void add_replay(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("replay", "Decide again what a job decided by time, from its report.");
  auto request = std::make_shared<ReplayOptions>();
  command->add_option("FILE", request->file, "A report, as ESPALIER_REPORT names it")->required();
  add_json_flag(*command)->each([request](const std::string&) { request->json = true; });
  command->callback([request] { replay(*request); });
}

}  // namespace espalier::tool
