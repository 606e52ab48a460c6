// SPDX-License-Identifier: Apache-2.0
// Each function that takes the place of the MPI's does what its collective's contract says, by whatever algorithm.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "algorithms/algorithm.hpp"
#include "calls/trial.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

class EntryTest : public testing::TestWithParam<Form> {
 protected:
  [[nodiscard]] const Form& form() const { return GetParam(); }
  [[nodiscard]] Task task(Rank size, int count) const {
    return {.collective = form().collective, .size = size, .count = count, .is_uneven = form().is_uneven};
  }
  // All that need to know no network.
  [[nodiscard]] std::vector<std::string> algorithms() const {
    std::vector<std::string> names;
    const std::string collective(name_of(form().collective));
    for (const Algorithm& algorithm : registry()) {
      const bool fits = algorithm.collective == form().collective && algorithm.needs == Needs::nothing;
      if (fits) names.push_back(collective + ":" + std::string(algorithm.name));
    }
    return names;
  }
  void run(Rank size, const std::string& algorithm, const std::function<void(RankOfJob&)>& body) const {
    SCOPED_TRACE(algorithm);
    run_job(size, {.algorithms = algorithm}, body);
  }
};

class RootedEntryTest : public EntryTest {};

TEST_P(EntryTest, does_what_its_contract_says_by_each_algorithm) {
  for (const std::string& algorithm : algorithms()) {
    for (const Rank size : {2, 3, 5}) {
      run(size, algorithm, [&](RankOfJob& here) {
        for (int k = 0; k < 3; ++k) expect_call(form(), task(size, 4), here.rank());
      });
    }
  }
}

TEST_P(EntryTest, does_it_by_all_algorithms_in_turn) {
  run(4, std::string(name_of(form().collective)) + ":in-turn", [&](RankOfJob& here) {
    for (int k = 0; k < 12; ++k) expect_call(form(), task(4, 5), here.rank());
    const CallCount calls = here.calls(form().collective);
    EXPECT_GT(calls.own, 0u);
    EXPECT_GT(calls.native, 0u);
  });
}

// Rank 0 gives nothing, as all did before; the others give something.
TEST(EmptyCallTest, is_not_taken_for_an_uneven_one) {
  run_job(3, {.algorithms = "allgather:ring"}, [](RankOfJob& here) {
    std::vector<int> given{here.rank()}, got(2, -1);
    const int counts[] = {0, 1, 1}, displacements[] = {0, 0, 1};
    for (int k = 0; k < 3; ++k) {
      ESPALIER_ENTRY(MPI_Allgather)(given.data(), 0, MPI_INT, got.data(), 0, MPI_INT, MPI_COMM_WORLD);
    }
    const int mine = counts[here.rank()];
    ESPALIER_ENTRY(MPI_Allgatherv)
    (given.data(), mine, MPI_INT, got.data(), counts, displacements, MPI_INT, MPI_COMM_WORLD);
    EXPECT_EQ(got, (std::vector<int>{1, 2}));
    EXPECT_EQ(here.calls(Collective::allgather).own, 1u);
  });
}

TEST_P(EntryTest, does_it_in_place) {
  for (const std::string& algorithm : algorithms()) {
    run(3, algorithm, [&](RankOfJob& here) {
      for (int k = 0; k < 2; ++k) expect_call(form(), task(3, 4), here.rank(), {.in_place = true});
    });
  }
}

TEST_P(RootedEntryTest, does_it_from_and_to_any_root) {
  Task rooted = task(4, 3);
  for (const std::string& algorithm : algorithms()) {
    for (rooted.root = 0; rooted.root < 4; ++rooted.root) {
      run(4, algorithm, [&](RankOfJob& here) { expect_call(form(), rooted, here.rank()); });
    }
  }
}

TEST_P(EntryTest, does_it_by_the_native_mpi) {
  run(3, std::string(name_of(form().collective)) + ":native", [&](RankOfJob& here) {
    for (const bool in_place : {false, true}) {
      expect_call(form(), task(3, 4), here.rank(), {.in_place = in_place});
    }
    EXPECT_EQ(here.calls(form().collective).own, 0u);
    EXPECT_EQ(here.calls(form().collective).native, 2u);
  });
}

TEST_P(EntryTest, does_it_on_one_rank_and_on_no_elements) {
  run(2, algorithms().front(), [&](RankOfJob& here) {
    expect_call(form(), task(1, 3), 0, {.comm = MPI_COMM_SELF});
    if (!form().is_uneven) expect_call(form(), task(2, 0), here.rank());
  });
}

TEST_P(EntryTest, is_the_native_mpis_outside_of_the_job) {
  run(2, algorithms().front(), [&](RankOfJob& here) {
    here.context().active = false;
    expect_call(form(), task(2, 4), here.rank());
    EXPECT_EQ(here.calls(form().collective).own + here.calls(form().collective).native, 0u);
  });
}

std::string name_of_tested(const testing::TestParamInfo<Form>& tested) { return tested.param.name; }

std::vector<Form> rooted_forms() {
  std::vector<Form> rooted;
  std::ranges::copy_if(blocking_forms(), std::back_inserter(rooted),
                       [](const Form& form) { return contract_of(form.collective).is_rooted(); });
  return rooted;
}

INSTANTIATE_TEST_SUITE_P(All, EntryTest, testing::ValuesIn(blocking_forms().begin(), blocking_forms().end()),
                         name_of_tested);
INSTANTIATE_TEST_SUITE_P(All, RootedEntryTest, testing::ValuesIn(rooted_forms()), name_of_tested);

}  // namespace
}  // namespace espalier
