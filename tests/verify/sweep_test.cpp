// SPDX-License-Identifier: Apache-2.0
#include "verify/sweep.hpp"

#include <gtest/gtest.h>

#include <set>

namespace espalier::sweep_test {
namespace {

void report(const SweepResult& result) {
  constexpr std::size_t max_shown = 10;
  for (std::size_t k = 0; k < std::min(max_shown, result.failures.size()); ++k) {
    ADD_FAILURE() << result.failures[k].where << ": " << result.failures[k].error;
  }
}

// The test of the README runs `./espalier verify --all`: among all rank counts.
TEST(Sweep, proves_the_whole_registry_among_a_few_ranks) {
  const SweepResult result = sweep({.sizes = {1, 2, 3, 4, 5, 8, 13}});
  report(result);
  EXPECT_TRUE(result.failures.empty());
  EXPECT_GT(result.schedules, 3000u);
}

TEST(Sweep, reports_its_progress_to_the_end) {
  SweepOptions options;
  options.sizes = {2, 3, 4};
  std::size_t last = 0, total = 0;
  options.progress = [&](const SweepProgress& progress) {
    EXPECT_EQ(progress.done, last + 1);
    last = progress.done;
    total = progress.total;
  };
  static_cast<void>(sweep(options));
  std::size_t parts = 0;
  for (const Algorithm& algorithm : registry()) parts += sweep_shapes(algorithm, options).size();
  EXPECT_EQ(last, parts);
  EXPECT_EQ(total, last);
}

TEST(Sweep, can_be_narrowed_down) {
  SweepOptions options;
  options.sizes = {4};
  options.collective = Collective::allreduce;
  options.algorithm = "ring";
  options.over_nodes = false;
  options.threads = 1;
  const SweepResult result = sweep(options);
  report(result);
  EXPECT_EQ(result.schedules, 3u) << "in place, not, and mixed";
}

TEST(Sweep, varies_roots_and_who_is_in_place) {
  std::set<std::string> texts;
  for (const SweepCase& one : sweep_cases(*find_algorithm(Collective::reduce, "chain"), 5, {}))
    texts.insert(one.text());
  EXPECT_EQ(texts.size(), 20u) << "five roots, in place or not, arranged or not";
  EXPECT_EQ(sweep_cases(*find_algorithm(Collective::bcast, "chain"), 33, {}).size(), 6u)
      << "three roots, arranged or not";
}

}  // namespace
}  // namespace espalier::sweep_test
