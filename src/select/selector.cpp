// SPDX-License-Identifier: Apache-2.0
#include "select/selector.hpp"

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"

namespace espalier {

namespace {

std::size_t index_of(Collective collective) { return static_cast<std::size_t>(collective); }

bool fits(const FixedRule& rule, const Problem& problem, const Shape& shape) {
  return rule.collective == problem.collective && shape.size >= rule.min_ranks && problem.bytes() >= rule.min_bytes &&
         (!contract_of(rule.collective).reduces || problem.arithmetic <= rule.freest);
}

const char* lacking(Needs needs) {
  return needs == Needs::torus ? "it needs a communicator whose nodes are a torus (ESPALIER_TOPOLOGY)"
                               : "it needs a communicator whose nodes are joined by known links (ESPALIER_TOPOLOGY)";
}

}  // namespace

const char* unfit_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape) {
  if (algorithm.collective != problem.collective) return "another collective's algorithm";
  if (contract_of(problem.collective).reduces && problem.arithmetic == Arithmetic::rank_order &&
      !algorithm.keeps_rank_order) {
    return "it does not keep the operands in rank order, and the operation does not commute";
  }
  if (!has_what_is_needed(algorithm.needs, shape)) return lacking(algorithm.needs);
  return nullptr;
}

Selector::Selector(const Settings& settings, std::shared_ptr<NetworkChooser> remembered)
    : enabled_(settings.enabled),
      device_(settings.device),
      reproducible_(settings.reproducible),
      network_chooser_(std::move(remembered)) {
  for (const ForcedChoice& forced : settings.algorithms) {
    const Algorithm* algorithm = forced.native() ? nullptr : find_algorithm(forced.collective, forced.algorithm);
    forced_[index_of(forced.collective)] = Forced{forced, algorithm};
  }
  for (const FixedRule& rule : fixed_table()) {
    const Algorithm* algorithm = find_algorithm(rule.collective, rule.algorithm);
    if (algorithm != nullptr) rules_.push_back({&rule, algorithm});
  }
}

// What the user said once for all calls.
const char* Selector::reason_for_native(const Problem& problem) const {
  if (!enabled_) return "ESPALIER=off";
  if (device_) return "ESPALIER_DEVICE=yes: buffers may lie in the memory of an accelerator";
  if (reproducible_ == Reproducible::native && contract_of(problem.collective).reduces &&
      problem.arithmetic != Arithmetic::exact) {
    return "ESPALIER_REPRODUCIBLE=native: the order of this reduction shows in the bits";
  }
  return nullptr;
}

Choice Selector::choose(const Problem& problem, const Shape& shape, std::uint64_t /*ordinal*/) const {
  if (const char* reason = reason_for_native(problem)) return {.reason = reason};
  const auto& forced = forced_[index_of(problem.collective)];
  return forced ? forced_choice(*forced, problem, shape) : from_table(problem, shape);
}

// What the user did not give is as the network wants it.
Choice Selector::forced_choice(const Forced& forced, const Problem& problem, const Shape& shape) {
  Choice choice{.algorithm = forced.algorithm, .reason = "forced"};
  if (choice.native()) return choice;
  if (const char* reason = unfit_for(*forced.algorithm, problem, shape)) return {.reason = reason};
  const ForcedChoice& given = forced.by_user;
  choice.cut = NetworkChooser::cut_for(*forced.algorithm, problem, shape, given.segment_bytes);
  if (given.window) choice.cut.window = *given.window;
  if (given.radix) choice.radix = *given.radix;
  return choice;
}

Choice Selector::from_table(const Problem& problem, const Shape& shape) const {
  if (const auto choice = network_chooser_->choose(problem, shape)) return *choice;
  for (const auto& [rule, algorithm] : rules_) {
    if (fits(*rule, problem, shape) && unfit_for(*algorithm, problem, shape) == nullptr) {
      return {.algorithm = algorithm, .cut = rule->cut, .reason = rule->reason};
    }
  }
  return {.reason = "fixed table: no clear gain expected"};
}

std::vector<Candidate> Selector::explain(const Problem& problem, const Shape& shape) const {
  const Choice chosen = choose(problem, shape);
  std::vector<Candidate> candidates = {{.chosen = chosen.native(), .reason = chosen.native() ? chosen.reason : ""}};
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != problem.collective) continue;
    const char* unfit = unfit_for(algorithm, problem, shape);
    const bool is_chosen = chosen.algorithm == &algorithm;
    candidates.push_back({.algorithm = &algorithm,
                          .cut = is_chosen ? chosen.cut : NetworkChooser::cut_for(algorithm, problem, shape),
                          .radix = is_chosen ? chosen.radix : usual_radix,
                          .eligible = unfit == nullptr,
                          .chosen = is_chosen,
                          .reason = is_chosen          ? chosen.reason
                                    : unfit == nullptr ? ""
                                                       : unfit});
  }
  return candidates;
}

}  // namespace espalier
