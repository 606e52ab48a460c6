// SPDX-License-Identifier: Apache-2.0
#include "select/played.hpp"

#include <algorithm>
#include <array>

#include "algorithms/unfit.hpp"
#include "contract/contract.hpp"
#include "estimate/estimate.hpp"
#include "estimate/native.hpp"
#include "select/growth.hpp"
#include "tuning/evidence/assumptions.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

constexpr std::size_t guessed_bytes = 1 << 10;  // of blocks whose sizes not all ranks know
constexpr double min_seconds = 1e-9;

// The root makes little difference, and neither do sizes that not all ranks know.
Problem played(Problem problem) {
  if (!contract_of(problem.collective).carries_data) {
    problem.count = 1;
  } else if (problem.bytes() == 0) {
    problem.count = guessed_bytes / problem.element_bytes + 1;
  }
  problem.is_uneven = false;
  problem.root = 0;
  return problem;
}

}  // namespace

Played::Played(const Problem& problem, const Shape& shape) : problem_(played(problem)), networks_(shape) {}

double Played::sd() const {
  const tuning::Assumptions baseline;
  return networks_.is_assumed() ? baseline.blind_estimate_sd : baseline.estimate_sd;
}

std::optional<double> Played::seconds(const Choice& choice) const {
  std::array<double, 3> sizes{};
  std::size_t count = 0;
  for (const Shape& shape : networks_.shapes()) {
    if (unfit_for(choice, problem_, shape) != nullptr) return std::nullopt;
    sizes[count++] = estimated_seconds(choice, problem_, shape);
  }
  return std::max(min_seconds, count == 1 ? sizes.front() : grown(sizes, networks_.times_larger()));
}

std::optional<double> Played::seconds_of_native(const Choice& choice) const {
  if (networks_.is_assumed()) return seconds(choice);
  const Shape& shape = networks_.shapes().front();
  if (!takes_rank_count(*choice.algorithm, shape.size)) return std::nullopt;
  return std::max(min_seconds, estimated_seconds_of_native(choice, problem_, shape));
}

std::optional<double> Played::seconds_of_native() const {
  std::optional<double> best;
  for (const Choice& choice : native_choices(problem_.collective)) {
    const std::optional<double> its = seconds_of_native(choice);
    if (its && (!best || *its < *best)) best = its;
  }
  return best;
}

}  // namespace espalier
