// SPDX-License-Identifier: Apache-2.0
#include "verify/mutate.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <random>

#include "verify/model/samples.hpp"
#include "verify/trial.hpp"
#include "verify/workers.hpp"

namespace espalier {

namespace {

using Random = std::mt19937_64;

// Of sample networks: on larger ones there are many mutants of the same kind.
constexpr Rank max_ranks = 9;

// One case for each algorithm and size: roots, in-place variants and tunings take turns, so that all occur.
std::vector<SweepCase> choose_cases(const MutationOptions& options) {
  std::vector<SweepCase> chosen;
  std::size_t turn = 0;
  for (const Algorithm& algorithm : registry()) {
    if (!options.sweep.wants(algorithm)) continue;
    SweepOptions sweep = options.sweep;
    sweep.sizes = options.sizes;
    for (const SampleNetwork& among : sweep_shapes(algorithm, sweep)) {
      if (among.shape.size > max_ranks) continue;
      const std::vector<SweepCase> all = sweep_cases(algorithm, among, sweep);
      chosen.push_back(all[turn++ * 7 % all.size()]);
    }
  }
  return chosen;
}

class CaseMutation {
 public:
  CaseMutation(const SweepCase& original, const MutationOptions& options, Random::result_type seed)
      : original_(original),
        options_(options),
        random_(seed),
        ranks_(original.build()),
        samples_(options.sweep.samples) {
    for (Sample& sample : samples_) sample.is_uneven = original.is_uneven;
  }

  MutationResult run() {
    struct Site {
      Rank rank;
      Mutant mutant;
    };
    std::vector<Site> sites;
    for (Rank rank = 0; rank < original_.problem.size; ++rank) {
      for (Mutant& mutant : make_mutants(ranks_[rank], rank, original_.problem.size)) {
        sites.push_back({rank, std::move(mutant)});
      }
    }
    if (options_.max_per_case > 0 && sites.size() > options_.max_per_case) {
      std::ranges::shuffle(sites, random_);
      sites.resize(options_.max_per_case);
    }
    for (Site& site : sites) judge(site.rank, site.mutant);
    if (!original_.algorithm->keeps_in_step) {
      result_.dropped_for_data = result_.counts[static_cast<int>(Mutation::drop_dependency)];
    }
    return std::move(result_);
  }

 private:
  void judge(Rank rank, Mutant& mutant) {
    MutationCount& count = result_.counts[static_cast<int>(mutant.mutation)];
    ++count.made;
    std::swap(ranks_[rank], mutant.schedule);
    const Verdict verdict = prove(original_.problem, ranks_, proof::samples_that_differ(ranks_, samples_));
    ++(verdict.ok() ? count.harmless : count.caught);
    if (verdict.ok() && random_() % static_cast<unsigned>(options_.trial_share) == 0) {
      ++count.tried;
      const std::string refutation = try_out(verdict.findings);
      if (!refutation.empty()) {
        ++count.refuted;
        result_.refutations.push_back(original_.text() + ", " + std::string(name_of(mutant.mutation)) + " at rank " +
                                      std::to_string(rank) + ", " + mutant.where + ": " + refutation);
      }
    }
    std::swap(ranks_[rank], mutant.schedule);
  }

  [[nodiscard]] std::string try_out(const Findings& findings) {
    const auto blocks = static_cast<std::size_t>(ranks_[0].blocks);
    const bool carries_data = original_.problem.contract().carries_data;
    for (int k = 0; k < options_.trials; ++k) {
      Trial trial;
      trial.elements = carries_data ? 1 + random_() % (40 * blocks) : 0;
      trial.sample = samples_[random_() % samples_.size()];
      if (trial.sample.is_uneven) trial.elements = 1 + random_() % 20;
      trial.granule = 1 + random_() % 3;
      trial.seed = random_();
      std::string wrong = run_trial(original_.problem, ranks_, findings, trial);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  const SweepCase& original_;
  const MutationOptions& options_;
  Random random_;
  std::vector<Schedule> ranks_;
  std::vector<Sample> samples_;
  MutationResult result_;
};

void add(MutationCount& to, const MutationCount& more) {
  to.made += more.made;
  to.caught += more.caught;
  to.harmless += more.harmless;
  to.tried += more.tried;
  to.refuted += more.refuted;
}

}  // namespace

MutationCount MutationResult::total() const {
  MutationCount sum;
  for (const MutationCount& count : counts) add(sum, count);
  return sum;
}

MutationResult mutate(const MutationOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<SweepCase> cases = choose_cases(options);
  MutationResult result;
  std::size_t done = 0;
  std::mutex mutex;  // of these two
  proof::work_in_threads(options.sweep.threads, cases.size(), [&](std::size_t k) {
    const MutationResult part = CaseMutation(cases[k], options, options.seed + k).run();
    const std::scoped_lock lock(mutex);
    for (int kind = 0; kind < mutation_kinds; ++kind) add(result.counts[kind], part.counts[kind]);
    add(result.dropped_for_data, part.dropped_for_data);
    result.refutations.insert(result.refutations.end(), part.refutations.begin(), part.refutations.end());
    ++done;
    if (options.sweep.progress) options.sweep.progress({done, cases.size(), result.refutations.size()});
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace espalier
