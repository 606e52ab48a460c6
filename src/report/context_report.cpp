// SPDX-License-Identifier: Apache-2.0
#include "report/context_report.hpp"

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"
#include "report/json.hpp"
#include "report/statistics.hpp"
#include "select/choice_text.hpp"

namespace espalier {

namespace {

std::string json_of(const CandidateStory& candidate, double reference_seconds) {
  const bool is_known = candidate.seconds > 0 && reference_seconds > 0;
  return json::Object()
      .add("algorithm", candidate.choice.native() ? native_name : candidate.choice.algorithm->name)
      .add("parameters", parameters_of(candidate.choice))
      .add("estimate", candidate.estimated_times_best)
      .add_raw("log_estimate", json::exact_text_of(candidate.estimate.log_seconds))
      .add_raw("estimate_sd", json::exact_text_of(candidate.estimate.sd))
      .add_raw("set_up_seconds", json::exact_text_of(candidate.estimate.set_up_seconds))
      .add("calls", static_cast<std::uint64_t>(candidate.calls))
      .add("timed", static_cast<std::uint64_t>(candidate.timed))
      .add("seconds", candidate.seconds)
      .add("sd", candidate.sd)
      .add("lost_seconds", is_known ? candidate.calls * (candidate.seconds - reference_seconds) : 0.0)
      .text();
}

std::string json_of(const BlockStory& block) {
  json::Object object;
  object.add("at", block.begin)
      .add_raw("calls", json::list_of(block.calls))
      .add_raw("seconds", json::list_of(block.seconds))
      .add_raw("beside", json::exact_text_of(block.overhead))
      .add("rest", block.rest)
      .add("incumbent", block.incumbent);
  if (block.run > 1) object.add("run", block.run).add_raw("once", json::exact_text_of(block.once));
  return object.text();
}

std::string json_of(const CallStory& story) {
  return json::Object()
      .add("call", story.call)
      .add_raw("come", json::list_of(story.arrived))
      .add_raw("left", json::list_of(story.left))
      .add_raw("waited", json::list_of(story.waited))
      .text();
}

std::string json_of(const ArrivalStory& story) {
  json::Object object;
  object.add_raw("rearranged_at", json::list_of(story.rearranged_at)).add_raw("ranks", json::list_of(story.ranks));
  object.add("transfer_seconds", story.transfer_seconds);
  if (story.reports > 0) object.add("reports", story.reports);
  if (!story.before.arrived.empty()) object.add_raw("before", json_of(story.before));
  if (!story.latest.arrived.empty()) object.add_raw("latest", json_of(story.latest));
  return object.text();
}

}  // namespace

std::string json_of(const ContextStory& story, int leader, int communicator) {
  const Contract& contract = contract_of(story.key.collective);
  json::Object object;
  object.add("collective", name_of(story.key.collective)).add("leader", leader).add("communicator", communicator);
  object.add("ranks", story.ranks);
  if (contract.is_rooted()) object.add("root", story.key.root);
  object.add("bytes", story.key.bytes_low).add("bytes_high", story.key.bytes_high);
  if (contract.reduces) object.add("arithmetic", name_of(story.key.arithmetic));
  if (story.arrivals) object.add_raw("arrivals", json_of(*story.arrivals));
  const double reference = story.candidates.empty() ? 0 : story.candidates.front().seconds;
  return object.add("uneven", story.key.is_uneven)
      .add("policy", story.policy)
      .add("start", story.start)
      .add("state", story.state)
      .add("calls", story.calls)
      .add("first", story.first)
      .add("incumbent", story.incumbent)
      .add("bound_seconds", story.bound_seconds)
      .add("agreements", story.agreements)
      .add("agreement_seconds", story.agreement_seconds)
      .add("waiting_seconds", story.waiting_seconds)
      .add_raw("candidates", json::list_of(story.candidates, [&](const auto& one) { return json_of(one, reference); }))
      .add_raw("blocks", json::list_of(story.blocks, [](const auto& one) { return json_of(one); }))
      .text();
}

std::string with_measured(std::string json, std::uint64_t calls, double seconds) {
  const std::string members = json::Object().add("measured_calls", calls).add("measured_seconds", seconds).text();
  json.pop_back();
  return json + ", " + members.substr(1);
}

}  // namespace espalier
