// SPDX-License-Identifier: Apache-2.0
#include "tool/commands/brief_proof.hpp"

#include <algorithm>
#include <chrono>

#include "core/choice.hpp"
#include "schedule/layout.hpp"
#include "tool/requests.hpp"
#include "topology/network.hpp"
#include "verify/model/samples.hpp"

namespace espalier::tool {

namespace {

constexpr Sample sample{2, 2};
constexpr int pieces = 4;

// Of all ranks: then it takes seconds.
constexpr std::size_t most_items = 4'000'000;

void check_that_it_exists(const Algorithm& algorithm, const Shape& shape) {
  const std::string among = full_name(algorithm) + " among " + std::to_string(shape.size) + " ranks: ";
  if (const char* const reason = unfit_for_rank_count(algorithm, shape.size))
    throw BadRequest(among + reason + "; for example: --ranks 64");
  if (!has_what_is_needed(algorithm.needs, shape))
    throw BadRequest(among + "it needs " + (algorithm.needs == Needs::torus ? "a torus" : "a network") +
                     "; for example: --torus 8x8x8");
}

// By a rank in the middle: what it does, and what it has at the end.
void check_length(const SweepCase& one) {
  const Schedule schedule = one.build(one.problem.size / 2);
  std::size_t each = static_cast<std::size_t>(schedule.blocks);
  for (const Operation& operation : schedule.operations) {
    each += static_cast<std::size_t>(operation.merged ? 1 : operation.walked().blocks * sample.segments);
  }
  const std::size_t all = each * static_cast<std::size_t>(one.problem.size);
  if (all <= most_items) return;
  throw BadRequest(one.text() + ": about " + std::to_string(all) +
                   " items to be run and compared, more than in seconds; allowed: " + std::to_string(most_items) +
                   "; for example: --ranks 256");
}

}  // namespace

void add_brief_proof(const Algorithm& algorithm, const Shape& shape, SweepResult& sum) {
  const auto start = std::chrono::steady_clock::now();
  check_that_it_exists(algorithm, shape);
  const bool in_place = contract_of(algorithm.collective).in_place == InPlace::always;
  const SweepCase one = case_of(algorithm, shape, 0, in_place, pieces, default_radix, 0);
  check_length(one);
  const std::vector<Schedule> ranks = one.build();
  const std::vector<Sample> samples = {sample};
  const Verdict verdict = prove(one.problem, ranks, samples);
  ++sum.schedules;
  sum.events += verdict.findings.events;
  if (!verdict.ok()) sum.failures.push_back({one.text(), verdict.error});
  sum.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace espalier::tool
