// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/calls.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "algorithms/unfit.hpp"
#include "policy/selection/selector.hpp"

namespace espalier::tool {

namespace {

// What Open MPI or MPICH have of their own, by the names that it has here.
constexpr std::string_view plain_names[] = {"binary",
                                            "binomial",
                                            "bruck",
                                            "chain",
                                            "dissemination",
                                            "in_order",
                                            "knomial",
                                            "linear",
                                            "neighbor_exchange",
                                            "pairwise",
                                            "rabenseifner",
                                            "recursive_doubling",
                                            "recursive_halving",
                                            "ring",
                                            "scatter_allgather",
                                            "spread",
                                            "tree"};

// What is best of an MPI's own depends on how it is cut, and no estimate is made for that: so all are cut otherwise,
// too.
constexpr std::size_t not_at_all = 0;
constexpr std::size_t other_segments[] = {128 << 10, 512 << 10, not_at_all};

bool is_plain(const Algorithm& algorithm) {
  return std::ranges::find(plain_names, algorithm.name) != std::end(plain_names);
}

void check_has_plain(const std::vector<SimulatedCandidate>& candidates) {
  if (std::ranges::any_of(candidates, [](const auto& one) { return is_plain(*one.algorithm); })) return;
  std::string names;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != candidates.front().algorithm->collective || !is_plain(algorithm)) continue;
    names.append(names.empty() ? "" : ", ").append(algorithm.name);
  }
  throw BadRequest("--gain: over what? --algorithm names nothing that a plain MPI does; allowed: also one of " + names);
}

// By estimate, without what was learnt or is set: the choice that a job begins with.
Choice chosen_for(const Problem& problem, const Shape& shape, const Selector& selector) {
  Choice choice = selector.decide(problem, shape).first_choice();
  choice.transport = {};  // all are played on the same wire
  return choice;
}

void mark_or_add(const Problem& problem, const Choice& chosen, std::span<SimulatedCall> of_size,
                 std::vector<SimulatedCall>& calls) {
  const auto same = std::ranges::find(of_size, chosen, &SimulatedCall::choice);
  if (same != of_size.end()) {
    same->is_chosen = true;
  } else {
    calls.push_back({problem, chosen, true, is_plain(*chosen.algorithm) && chosen.leaders == 0});
  }
}

// The user's candidate, or nothing where it does not fit.
std::optional<SimulatedCall> call_of(const SimulatedCandidate& candidate, const Problem& problem, const Shape& shape) {
  if (unfit_for(*candidate.algorithm, problem, shape) != nullptr) return std::nullopt;
  return SimulatedCall{problem, candidate.choice(problem, shape), false, is_plain(*candidate.algorithm)};
}

void add_with_other_cuts(const SimulatedCall& fitted, std::vector<SimulatedCall>& calls) {
  const std::size_t bytes = fitted.problem.bytes();
  const auto length = [bytes](std::size_t segment) { return segment == not_at_all ? bytes : std::min(segment, bytes); };
  std::set<std::size_t> lengths = {length(fitted.choice.cut.segment_bytes)};
  calls.push_back(fitted);
  if (fitted.choice.algorithm->is_direct) return;
  for (const std::size_t segment : other_segments) {
    if (!lengths.insert(length(segment)).second) continue;
    calls.push_back(fitted);
    calls.back().choice.cut.segment_bytes = segment;
  }
}

}  // namespace

Problem problem_of(Collective collective, std::size_t bytes, Rank root) {
  constexpr std::size_t element_bytes = 8;
  Problem problem{.collective = collective, .count = bytes};
  if (contract_of(collective).is_rooted()) problem.root = root;
  if (!contract_of(collective).reduces) return problem;
  problem.element_bytes = element_bytes;
  problem.count = bytes / element_bytes;
  problem.arithmetic = Arithmetic::commutative;
  return problem;
}

std::vector<SimulatedCall> calls_of(const std::vector<SimulatedCandidate>& candidates,
                                    const std::vector<Problem>& problems, const Shape& shape) {
  std::vector<SimulatedCall> calls;
  for (const Problem& problem : problems) {
    for (const SimulatedCandidate& candidate : candidates) {
      if (const auto call = call_of(candidate, problem, shape)) calls.push_back(*call);
    }
  }
  return calls;
}

std::vector<SimulatedCall> calls_with_gains(const std::vector<SimulatedCandidate>& candidates,
                                            const std::vector<Problem>& problems, const Shape& shape,
                                            const JobNetworks& job) {
  check_has_plain(candidates);
  Settings settings;
  settings.policy = TuningPolicy::estimate;
  const Selector selector(settings);
  const Shape as_in_job = job.shape(TransportWanted::automatic);
  std::vector<SimulatedCall> calls;
  for (const Problem& problem : problems) {
    const std::size_t first = calls.size();
    for (const SimulatedCandidate& candidate : candidates) {
      const auto call = call_of(candidate, problem, shape);
      if (!call) continue;
      if (candidate.segment_bytes) {
        calls.push_back(*call);
      } else {
        add_with_other_cuts(*call, calls);
      }
    }
    const Choice chosen = chosen_for(problem, as_in_job, selector);
    if (!chosen.native()) mark_or_add(problem, chosen, std::span(calls).subspan(first), calls);
  }
  return calls;
}

}  // namespace espalier::tool
