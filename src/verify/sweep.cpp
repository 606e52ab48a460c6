// SPDX-License-Identifier: Apache-2.0
#include "verify/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>

#include "algorithms/over_nodes.hpp"
#include "topology/network.hpp"
#include "verify/direct_check.hpp"
#include "verify/model/samples.hpp"
#include "verify/order_check.hpp"
#include "verify/workers.hpp"

namespace espalier {

namespace {

using InPlaceAt = Case::InPlaceAt;

std::vector<Rank> roots(const Algorithm& algorithm, Rank size, Rank all_up_to) {
  if (!contract_of(algorithm.collective).is_rooted()) return {0};
  if (size > all_up_to) return {0, size / 2, size - 1};
  std::vector<Rank> all;
  for (Rank root = 0; root < size; ++root) all.push_back(root);
  return all;
}

std::vector<InPlaceAt> in_place_variants(const Algorithm& algorithm, Rank size) {
  const Contract& contract = contract_of(algorithm.collective);
  if (contract.in_place == InPlace::always) return {InPlaceAt::all};
  if (contract.in_place == InPlace::stays) return {InPlaceAt::none};  // to a schedule it is the same
  if (contract.output_at == Holder::root || size == 1) return {InPlaceAt::none, InPlaceAt::all};
  return {InPlaceAt::none, InPlaceAt::all, InPlaceAt::mixed};
}

// Whether a case has blocks of one size, of several, or is tried with both.
struct Sizes {
  bool even = true, uneven = false;
};
Sizes sizes_for(const Algorithm& algorithm, const Case& problem, Rank all_up_to) {
  const bool may_be_uneven = problem.in_place == InPlaceAt::none || problem.contract().may_be_uneven_in_place();
  if (!algorithm.takes_uneven || !may_be_uneven) return {.even = true, .uneven = false};
  if (problem.size <= all_up_to || problem.in_place == InPlaceAt::none) return {.even = true, .uneven = true};
  const bool is_mixed = problem.in_place == InPlaceAt::mixed;
  return {.even = !is_mixed, .uneven = is_mixed};
}

// Some arrangement; the root stays.
std::shared_ptr<const Arrangement> shuffled(Rank size, Rank root) {
  std::mt19937 random(static_cast<unsigned>(size));
  auto arrangement = std::make_shared<Arrangement>(size);
  for (Rank rank = 0; rank < size; ++rank) {
    const auto other = static_cast<Rank>(random() % static_cast<unsigned>(size));
    if (rank != root && other != root) arrangement->exchange_places(rank, other);
  }
  return arrangement;
}

std::vector<Rank> default_sizes() {
  std::vector<Rank> sizes;
  for (Rank size = 1; size <= 33; ++size) sizes.push_back(size);
  sizes.push_back(64);
  return sizes;
}

// All cases of one algorithm and one shape.
struct SweepPart {
  const Algorithm* algorithm = nullptr;
  SampleNetwork among;
};

// Over the nodes of networks that have several ranks on some: by one leader each, and by as many as there can be.
void add_leaders(const Algorithm& algorithm, std::vector<SampleNetwork>& shapes) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (unfit_for_leaders({.collective = algorithm.collective}, sample.shape) != nullptr) continue;
    if (!exists_for(algorithm, shape_of_nodes(sample.shape))) continue;
    for (const int leaders : std::set{1, ranks_by_node(sample.shape)->fewest_ranks()}) {
      shapes.push_back({sample.name, sample.shape, leaders});
    }
  }
}

// The largest first, so that no thread is left with a long one at the end.
std::vector<SweepPart> parts_of(const SweepOptions& options) {
  std::vector<SweepPart> parts;
  for (const Algorithm& algorithm : registry()) {
    if (!options.wants(algorithm)) continue;
    for (SampleNetwork& among : sweep_shapes(algorithm, options)) parts.push_back({&algorithm, std::move(among)});
  }
  std::ranges::stable_sort(parts, std::greater<>(), [](const SweepPart& part) { return part.among.shape.size; });
  return parts;
}

Verdict prove_case(const SweepCase& one, const SweepOptions& options) {
  try {
    const std::vector<Schedule> ranks = one.build();
    std::vector<Sample> samples = options.samples;
    for (Sample& sample : samples) sample.is_uneven = one.is_uneven;
    Verdict verdict = prove(one.problem, ranks, proof::samples_that_differ(ranks, samples));
    if (verdict.ok() && one.algorithm->is_direct && one.leaders == 0) verdict.error = proof::check_direct(ranks);
    return verdict;
  } catch (const std::exception& error) {
    return {std::string("cannot be built: ") + error.what(), {}};
  }
}

SweepResult prove_part(const SweepPart& part, const SweepOptions& options) {
  SweepResult result;
  proof::OrderCheck order;
  for (const SweepCase& one : sweep_cases(*part.algorithm, part.among, options)) {
    ++result.schedules;
    Verdict verdict = prove_case(one, options);
    if (verdict.ok()) verdict.error = order.check(one, verdict.findings);
    result.events += verdict.findings.events;
    if (!verdict.ok()) result.failures.push_back({one.text(), verdict.error});
  }
  return result;
}

}  // namespace

std::vector<Schedule> SweepCase::build() const {
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < problem.size; ++rank) ranks.push_back(build(rank));
  return ranks;
}

Schedule SweepCase::build(Rank rank) const {
  return build_schedule(*algorithm, {.contract = problem.contract(),
                                     .shape = {problem.size, network, by_node},
                                     .root = problem.root,
                                     .pieces = pieces,
                                     .radix = radix,
                                     .leaders = leaders,
                                     .arrangement = arrangement.get(),
                                     .me = rank,
                                     .in_place = problem.in_place_at(rank),
                                     .has_gaps = is_uneven && !problem.contract().reduces});
}

std::string SweepCase::text() const {
  std::string text = std::string(name_of(algorithm->collective)) + ":" + std::string(algorithm->name) + ", " +
                     std::to_string(problem.size) + " ranks";
  if (!network_name.empty()) text += " (" + network_name + ")";
  if (problem.contract().is_rooted()) text += ", root " + std::to_string(problem.root);
  const bool has_choice = problem.contract().in_place != InPlace::always;
  if (problem.in_place == InPlaceAt::all && has_choice) text += ", in place";
  if (problem.in_place == InPlaceAt::mixed) text += ", odd ranks in place";
  if (algorithm->takes_pieces) text += ", " + std::to_string(pieces) + " pieces";
  if (algorithm->takes_radix) text += ", radix " + std::to_string(radix);
  if (leaders > 0) text += ", leaders " + std::to_string(leaders);
  if (is_uneven) text += ", uneven blocks";
  if (arrangement != nullptr) text += ", arranged";
  return text;
}

std::vector<SampleNetwork> sweep_shapes(const Algorithm& algorithm, const SweepOptions& options) {
  std::vector<SampleNetwork> shapes;
  if (algorithm.needs == Needs::nothing) {
    for (const Rank size : options.sizes.empty() ? default_sizes() : options.sizes) {
      if (takes_rank_count(algorithm, size)) shapes.push_back({"", {size}});
    }
  } else {
    std::ranges::copy_if(sample_networks(), std::back_inserter(shapes),
                         [&](const SampleNetwork& sample) { return exists_for(algorithm, sample.shape); });
  }
  if (options.over_nodes) add_leaders(algorithm, shapes);
  return shapes;
}

std::vector<SweepCase> sweep_cases(const Algorithm& algorithm, Rank size, const SweepOptions& options) {
  return sweep_cases(algorithm, {"", {size}}, options);
}

std::vector<SweepCase> sweep_cases(const Algorithm& algorithm, const SampleNetwork& among,
                                   const SweepOptions& options) {
  const Rank size = among.shape.size;
  const std::vector<int> pieces = algorithm.takes_pieces ? options.pieces : std::vector<int>{1};
  const bool by_all = among.leaders == 0;
  const std::vector<int> radices = algorithm.takes_radix ? options.radices : std::vector<int>{2};
  std::vector<SweepCase> cases;
  for (const Rank root : roots(algorithm, size, options.all_roots_up_to)) {
    for (const InPlaceAt in_place : in_place_variants(algorithm, size)) {
      const Case problem{algorithm.collective, size, root, in_place, algorithm.keeps_rank_order && by_all};
      const Sizes sizes = sizes_for(algorithm, problem, options.all_sizes_up_to);
      for (const int piece_count : pieces) {
        for (const int radix : radices) {
          const auto add = [&](bool is_uneven, std::shared_ptr<const Arrangement> arrangement = nullptr) {
            cases.push_back({&algorithm, problem, piece_count, radix, among.leaders, is_uneven, among.shape.network,
                             among.shape.by_node, among.name, std::move(arrangement)});
          };
          if (sizes.even) add(false);
          if (sizes.uneven && by_all) add(true);
          if (by_all && algorithm.tree != nullptr && size > 2) add(false, shuffled(size, root));
        }
      }
    }
  }
  return cases;
}

bool SweepOptions::wants(const Algorithm& one) const {
  return (!collective || *collective == one.collective) && (algorithm.empty() || algorithm == one.name);
}

SweepResult sweep(const SweepOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<SweepPart> parts = parts_of(options);
  SweepResult result;
  std::size_t done = 0;
  std::mutex mutex;  // of these two
  proof::work_in_threads(options.threads, parts.size(), [&](std::size_t k) {
    const SweepResult part = prove_part(parts[k], options);
    const std::scoped_lock lock(mutex);
    result.schedules += part.schedules;
    result.events += part.events;
    result.failures.insert(result.failures.end(), part.failures.begin(), part.failures.end());
    ++done;
    if (options.progress) options.progress({done, parts.size(), result.failures.size()});
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace espalier
