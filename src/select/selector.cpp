// SPDX-License-Identifier: Apache-2.0
#include "select/selector.hpp"

#include "contract/contract.hpp"
#include "select/by_rule.hpp"
#include "select/by_user.hpp"
#include "select/unfit.hpp"

namespace espalier {

namespace {

std::size_t index_of(Collective collective) { return static_cast<std::size_t>(collective); }

Candidate candidate_of(const Algorithm& algorithm, const Problem& problem, const Shape& shape) {
  const char* unfit = unfit_for(algorithm, problem, shape);
  return {.algorithm = &algorithm,
          .cut = cut_for(algorithm, problem, shape),
          .eligible = unfit == nullptr,
          .reason = unfit == nullptr ? "" : unfit};
}

Candidate candidate_of(const Choice& chosen) {
  return {
      .algorithm = chosen.algorithm, .cut = chosen.cut, .radix = chosen.radix, .chosen = true, .reason = chosen.reason};
}

}  // namespace

Selector::Selector(const Settings& settings, std::shared_ptr<NetworkChooser> remembered)
    : enabled_(settings.enabled),
      device_(settings.device),
      reproducible_(settings.reproducible),
      network_chooser_(std::move(remembered)) {
  for (const ForcedChoice& forced : settings.algorithms) forced_[index_of(forced.collective)] = forced;
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

Decision Selector::decide(const Problem& problem, const Shape& shape) const {
  if (const char* reason = reason_for_native(problem)) return Choice{.reason = reason};
  const auto& forced = forced_[index_of(problem.collective)];
  if (forced) return decide_by_user(*forced, problem, shape);
  return choice_of_our_own(problem, shape);
}

Choice Selector::choice_of_our_own(const Problem& problem, const Shape& shape) const {
  const auto by_network = network_chooser_->choose(problem, shape);
  return by_network ? *by_network : choice_by_rule(problem, shape);
}

std::vector<Candidate> Selector::explain(const Problem& problem, const Shape& shape) const {
  const Choice chosen = decide(problem, shape).look(0).choice;
  std::vector<Candidate> candidates = {chosen.native() ? candidate_of(chosen) : Candidate{}};
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != problem.collective) continue;
    candidates.push_back(chosen.algorithm == &algorithm ? candidate_of(chosen)
                                                        : candidate_of(algorithm, problem, shape));
  }
  return candidates;
}

}  // namespace espalier
