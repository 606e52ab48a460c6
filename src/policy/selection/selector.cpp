// SPDX-License-Identifier: Apache-2.0
#include "policy/selection/selector.hpp"

#include "algorithms/unfit.hpp"
#include "contract/contract.hpp"
#include "policy/arranged.hpp"
#include "policy/by_time.hpp"
#include "policy/known.hpp"
#include "policy/overlap.hpp"
#include "policy/selection/by_user.hpp"
#include "select/by_rule.hpp"
#include "select/in_memory.hpp"

namespace espalier {

namespace {

std::size_t index_of(Collective collective) { return static_cast<std::size_t>(collective); }

Candidate candidate_of(const Algorithm& algorithm, const Problem& problem, const Shape& shape) {
  const char* unfit = unfit_for(algorithm, problem, shape);
  return {.algorithm = &algorithm,
          .cut = cut_for(algorithm, problem, shape),
          .transport = shape.default_transport(),
          .eligible = unfit == nullptr,
          .reason = unfit == nullptr ? "" : unfit};
}

Candidate candidate_of(const Choice& chosen) {
  return {.algorithm = chosen.algorithm,
          .cut = chosen.cut,
          .radix = chosen.radix,
          .leaders = chosen.leaders,
          .transport = chosen.transport,
          .chosen = true,
          .reason = chosen.reason};
}

}  // namespace

Selector::Selector(const Settings& settings, std::shared_ptr<NetworkChooser> remembered, std::shared_ptr<Memory> memory)
    : enabled_(settings.enabled),
      device_(settings.device),
      arrival_(settings.arrival),
      tuning_{settings.policy, settings.budget_percent / 100, settings.reproducible, !settings.report.empty()},
      network_chooser_(std::move(remembered)),
      memory_(std::move(memory)) {
  for (const ForcedChoice& forced : settings.algorithms) forced_[index_of(forced.collective)] = forced;
}

// What the user said once for all calls.
const char* Selector::reason_for_native(const Problem& problem) const {
  if (!enabled_) return "ESPALIER=off";
  if (device_) return "ESPALIER_DEVICE=yes: buffers may lie in the memory of an accelerator";
  if (tuning_.reproducible == Reproducible::native && contract_of(problem.collective).reduces &&
      problem.arithmetic != Arithmetic::exact) {
    return "ESPALIER_REPRODUCIBLE=native: the order of this reduction shows in the bits";
  }
  return nullptr;
}

Selection Selector::decide(const Problem& problem, const Shape& shape) const {
  if (const char* reason = reason_for_native(problem)) return Choice{.reason = reason};
  const auto& forced = forced_[index_of(problem.collective)];
  if (forced) return decide_by_user(*forced, problem, shape, tuning_.reproducible);
  const Memory::Known known = remembered(problem, shape);
  if (known.is_law) {
    if (const auto pinned = pinned_choice(*known.context, problem, shape)) return *pinned;
  }
  const Choice baseline = choice_of_our_own(problem, shape);
  if (known.is_law || !goes_by_time(problem, shape, baseline)) return baseline;
  const bool is_bound = is_bound_to_order(problem, tuning_.reproducible);
  Start start{baseline, {}};
  if (known.context != nullptr) start = start_from(*known.context, problem, shape, baseline, is_bound);
  const bool by_arrival = goes_by_arrival(problem, shape);
  Selection by_time(std::make_unique<ByTime>(problem, shape, std::move(start), tuning_, memory_, by_arrival));
  if (!by_arrival) return by_time;
  return {std::make_unique<Arranged>(problem, shape, std::move(by_time), false)};
}

Memory::Known Selector::remembered(const Problem& problem, const Shape& shape) const {
  if (memory_ == nullptr || shape.placement == nullptr) return {};
  return memory_->find(*shape.placement, context_of(problem));
}

// There are others to choose from, and something to gain.
bool Selector::goes_by_time(const Problem& problem, const Shape& shape, const Choice& baseline) const {
  if (tuning_.policy == TuningPolicy::estimate || tuning_.budget == 0 || shape.size < 2) return false;
  const bool is_empty = problem.bytes() == 0 && !problem.is_uneven;
  if (contract_of(problem.collective).carries_data && is_empty) return false;
  if (may_run_ahead(problem.collective, problem.bytes())) return false;
  return !(baseline.native() && is_bound_to_order(problem, tuning_.reproducible));
}

// Two ranks can stand in one manner only.
bool Selector::goes_by_arrival(const Problem& problem, const Shape& shape) const {
  return arrival_ && tuning_.policy == TuningPolicy::race && shape.size > 2 && Arranged::is_for(problem.collective) &&
         !is_bound_to_order(problem, tuning_.reproducible);
}

// Bits must not depend on where ranks run; but two ranks can add in one order only.
bool Selector::keeps_bits(const Problem& problem, const Shape& shape) const {
  return shape.size == 2 || !is_bound_to_order(problem, tuning_.reproducible);
}

Choice Selector::choice_of_our_own(const Problem& problem, const Shape& shape) const {
  const std::optional<Choice> in_memory = choice_in_memory(problem, shape);
  if (in_memory && keeps_bits(problem, shape)) return *in_memory;
  const auto by_network = network_chooser_->choose(problem, shape);
  return by_network ? *by_network : choice_by_rule(problem, shape);
}

std::vector<Candidate> Selector::explain(const Problem& problem, const Shape& shape) const {
  const Choice chosen = decide(problem, shape).first_choice();
  std::vector<Candidate> candidates = {chosen.native() ? candidate_of(chosen) : Candidate{}};
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != problem.collective) continue;
    candidates.push_back(chosen.algorithm == &algorithm ? candidate_of(chosen)
                                                        : candidate_of(algorithm, problem, shape));
  }
  return candidates;
}

}  // namespace espalier
