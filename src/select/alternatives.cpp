// SPDX-License-Identifier: Apache-2.0
#include "select/alternatives.hpp"

#include <algorithm>
#include <optional>

#include "algorithms/unfit.hpp"
#include "contract/contract.hpp"
#include "estimate/estimate.hpp"
#include "select/choice_search.hpp"
#include "select/network_choice.hpp"
#include "select/played.hpp"
#include "tuning/evidence/assumptions.hpp"
#include "tuning/evidence/estimate_errors.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_known = 4;  // more that are known, than are found

// Null: it is none of them.
Alternative* alternative_of(const KnownChoice& known, std::vector<Alternative>& alternatives) {
  const auto found = std::ranges::find(alternatives, known.choice, &Alternative::choice);
  return found != alternatives.end() ? &*found : nullptr;
}

// What is known are seconds, what is estimated may be off by any factor: by the mean of those that are both. How far
// off these are otherwise tells how good the other estimates are.
void correct_estimates(std::span<const KnownChoice> known, std::vector<Alternative>& alternatives) {
  double offset = 0;
  int both = 0;
  for (const KnownChoice& each : known) {
    const Alternative* const one = alternative_of(each, alternatives);
    if (one != nullptr) offset += (each.log_seconds - one->estimate.log_seconds - offset) / ++both;
  }
  tuning::EstimateErrors errors;
  for (const KnownChoice& each : known) {
    const Alternative* const one = alternative_of(each, alternatives);
    if (one == nullptr || one->estimate.sd <= 0) continue;
    const double error = (each.log_seconds - one->estimate.log_seconds - offset) / one->estimate.sd;
    errors.note(error * error);
  }
  for (Alternative& each : alternatives) {
    each.estimate.log_seconds += offset;
    each.estimate.sd *= tuning::root_of(errors.factor());
  }
}

// Where ranks share processors, and the native MPI keeps its own while it waits, a call of it takes as long as turns of
// the system: thousands of times what is known to run there. To try it once costs more than it could ever gain.
bool native_is_hopeless(const Shape& shape, const Choice& baseline) {
  return !baseline.native() && shape.in_memory && shape.is_crowded && !shape.mpi_yields;
}

}  // namespace

bool adds_alike(const Choice& one, const Choice& other) {
  if (one.native() || other.native()) return one.native() && other.native();
  const OrderClass& order = one.algorithm->order;
  if (order.name != other.algorithm->order.name) return false;
  if (one.leaders != other.leaders) return order.name.empty();
  const bool depends_on_cut = order.depends_on_cut || other.algorithm->order.depends_on_cut;
  return !depends_on_cut || (one.cut.segment_bytes == other.cut.segment_bytes && one.radix == other.radix);
}

bool is_bound_to_order(const Problem& problem, Reproducible reproducible) {
  return contract_of(problem.collective).reduces && problem.arithmetic != Arithmetic::exact &&
         reproducible != Reproducible::off;
}

std::vector<Alternative> alternatives_for(const Problem& problem, const Shape& shape, const Choice& baseline,
                                          Reproducible reproducible) {
  const ChoiceSearch search(problem, shape, baseline, reproducible);
  std::vector<double> seconds(search.plays());
  for (std::size_t play = 0; play < seconds.size(); ++play) seconds[play] = search.seconds(play);
  return search.alternatives(seconds);
}

Choice first_alternative(const Shape& shape, const Choice& baseline, bool is_bound) {
  return is_bound || native_is_hopeless(shape, baseline) ? baseline : Choice{};
}

bool is_short(const Problem& problem, const Shape& shape) {
  constexpr std::size_t min_bytes = 4096;
  return problem.bytes() * static_cast<std::size_t>(shape.size) < min_bytes;
}

// Each algorithm is played on all ranks of the network that is played, and has more messages where there are more.
double seconds_to_find_alternatives(const Problem& problem, const Shape& shape) {
  constexpr double seconds_per_known_rank = 5e-4, seconds_per_pair = 2e-5;
  constexpr double most_seconds_per_rank = 1e-4, seconds_of_first = 5e-5, seconds_of_short_message = 2e-6;
  if (can_be_estimated(shape)) return seconds_per_known_rank * std::min(shape.size, max_played_ranks);
  const double ranks = std::min(shape.size, max_assumed_nodes);
  if (!is_short(problem, shape)) return seconds_per_pair * ranks * ranks;
  const auto algorithms = std::ranges::count(registry(), problem.collective, &Algorithm::collective);
  return std::min(most_seconds_per_rank * ranks,
                  seconds_of_first + seconds_of_short_message * static_cast<double>(algorithms) * ranks * ranks);
}

std::vector<Alternative> alternatives_of_star(const Problem& problem, const Shape& shape) {
  constexpr const char* names[] = {
      "spread", "pairwise",           "pairwise_light_barrier", "pairwise_mpi_barrier", "pairwise_one_barrier",
      "ring",   "ring_light_barrier", "ring_mpi_barrier",       "ring_one_barrier"};
  const Played played(problem, shape);
  const auto alternative = [&](const Choice& choice, std::optional<double> seconds) -> Alternative {
    return {choice, {seconds ? tuning::log_of(*seconds) : 0, played.sd()}};
  };
  std::vector<Alternative> alternatives = {alternative({}, played.seconds_of_native())};
  for (const char* const name : names) {
    const Algorithm* const algorithm = find_algorithm(problem.collective, name);
    if (algorithm == nullptr || unfit_for(*algorithm, problem, shape) != nullptr) continue;
    Choice choice{
        .algorithm = algorithm, .cut = cut_for(*algorithm, problem, shape), .transport = shape.default_transport()};
    if (name == names[0]) choice.cut.window = std::max<Rank>(choice.cut.window, shape.size);
    alternatives.push_back(alternative(choice, played.seconds(choice)));
  }
  return alternatives;
}

void add_known(std::span<const KnownChoice> known, std::vector<Alternative>& alternatives) {
  constexpr double change = .1;  // of ratios, from job to job: standard deviation of their logs
  correct_estimates(known, alternatives);
  for (const KnownChoice& each : known) {
    const tuning::Estimate estimate{each.log_seconds, tuning::root_of(each.sd * each.sd + change * change)};
    if (Alternative* one = alternative_of(each, alternatives)) {
      one->estimate = estimate;
    } else if (alternatives.size() < max_alternatives + max_known) {
      alternatives.push_back({each.choice, estimate});
    }
  }
}

}  // namespace espalier
