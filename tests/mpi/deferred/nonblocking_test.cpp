// SPDX-License-Identifier: Apache-2.0
// Each nonblocking function does what its collective's contract says, and its request is one of the MPI's.
#include <gtest/gtest.h>

#include <array>

#include "calls/trial.hpp"

namespace espalier::nonblocking_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 3;
const std::string ours = some_algorithms();

// Tags are agreed on in a blocking call.
void agree_on_tags() { EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_SUCCESS); }

class NonblockingTest : public testing::TestWithParam<Form> {
 protected:
  [[nodiscard]] static const Form& form() { return GetParam(); }
  [[nodiscard]] static Task task(int count) {
    return {.collective = form().collective, .size = size, .count = count, .is_uneven = form().is_uneven};
  }
  static void expect_wait(Trial& trial, MPI_Request& request) {
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    trial.expect_result();
  }
  static void expect_call(RankOfJob& here, const Task& its, const Manner& manner = {}) {
    Trial trial(its, here.rank(), manner);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(trial.start(form(), &request), MPI_SUCCESS);
    expect_wait(trial, request);
  }
  [[nodiscard]] static CallCount calls(const RankOfJob& here) { return here.calls(form().collective); }
};

TEST_P(NonblockingTest, does_what_its_contract_says) {
  run_job(size, {.algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    const std::uint64_t before = calls(here).own;
    for (const bool in_place : {false, true, false}) expect_call(here, task(5), {.in_place = in_place});
    EXPECT_EQ(calls(here).own, before + 3);
    EXPECT_EQ(calls(here).native, 0u);
  });
  EXPECT_EQ(fake::remains().requests, 0u);
}

// What ends a call is inside the MPI's own progress, where no message may be waited for.
TEST_P(NonblockingTest, copies_nothing_by_messages) {
  Native mpi = fake::functions();
  mpi.Sendrecv = [](const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int, MPI_Comm,
                    MPI_Status*) -> int { fake::fail("a message to itself in a nonblocking call"); };
  run_job(size, {.native = mpi, .algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    for (const bool in_place : {false, true}) expect_call(here, task(5), {.in_place = in_place});
  });
}

TEST_P(NonblockingTest, is_the_native_mpis_until_the_ranks_have_tags) {
  run_job(size, {.algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    expect_call(here, task(5));
    EXPECT_EQ(calls(here).native, 1u);
  });
}

TEST_P(NonblockingTest, is_the_native_mpis_without_a_hook_into_its_progress) {
  run_job(size, {.algorithms = ours}, [](RankOfJob& here) {
    agree_on_tags();
    expect_call(here, task(5));
    EXPECT_EQ(calls(here).native, 1u);
  });
}

TEST_P(NonblockingTest, is_the_native_mpis_outside_of_the_job) {
  run_job(size, {.algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    here.context().active = false;
    expect_call(here, task(5));
    EXPECT_EQ(calls(here).native, 0u);
  });
}

TEST_P(NonblockingTest, may_be_under_way_with_others_like_it) {
  run_job(size, {.algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    for (int turn = 0; turn < 3; ++turn) {  // from the second on by what the first left
      std::array<std::optional<Trial>, 4> trials;
      std::array<MPI_Request, 4> requests;
      for (std::size_t k = 0; k < trials.size(); ++k) {
        trials[k].emplace(task(static_cast<int>(k % 2) + 3), here.rank());
        EXPECT_EQ(trials[k]->start(form(), &requests[k]), MPI_SUCCESS);
      }
      for (const std::size_t k : {2u, 0u, 3u, 1u}) expect_wait(*trials[k], requests[k]);
    }
  });
}

// One is under way while decisions are forgotten: what it leaves is not for those after that.
TEST_P(NonblockingTest, is_decided_again_when_decisions_are_forgotten) {
  run_job(size, {.algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    expect_call(here, task(5));
    const CallCount before = calls(here);
    Trial trial(task(5), here.rank());
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(trial.start(form(), &request), MPI_SUCCESS);
    here.context().communicators.forget_decisions();
    here.context().selector = std::make_unique<Selector>(Settings());  // by the fixed table: short ones are native
    expect_wait(trial, request);
    for (int k = 0; k < 2; ++k) expect_call(here, task(5));
    EXPECT_EQ(calls(here).own, before.own + 1);
    EXPECT_EQ(calls(here).native, before.native + 2);
  });
}

// Each algorithm's schedule is prepared once, and found again when its turn comes.
TEST_P(NonblockingTest, follows_a_decision_that_changes) {
  std::string in_turn = std::string(name_of(form().collective)) + ":in-turn";
  if (form().collective != Collective::barrier) in_turn += ";barrier:dissemination";
  run_job(size, {.algorithms = in_turn, .hooks = true}, [](RankOfJob& here) {
    for (int k = 0; k < 2; ++k) agree_on_tags();
    const CallCount before = calls(here);
    for (int k = 0; k < 40; ++k) expect_call(here, task(5));
    EXPECT_GT(calls(here).own, before.own);
    EXPECT_GT(calls(here).native, before.native);
  });
  EXPECT_EQ(fake::remains().requests, 0u);
}

TEST_P(NonblockingTest, goes_on_in_blocking_calls) {
  run_job(size, {.algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    Trial trial(task(4), here.rank());
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(trial.start(form(), &request), MPI_SUCCESS);
    for (int k = 0; k < 3; ++k) agree_on_tags();
    EXPECT_EQ(here.mpi().Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    expect_wait(trial, request);
  });
}

TEST_P(NonblockingTest, can_be_tested) {
  run_job(size, {.algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    Trial trial(task(4), here.rank());
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(trial.start(form(), &request), MPI_SUCCESS);
    MPI_Status status{};
    for (int is_over = 0; is_over == 0;) {
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Test)(&request, &is_over, &status), MPI_SUCCESS);
    }
    EXPECT_EQ(status.MPI_SOURCE, MPI_UNDEFINED);
    EXPECT_EQ(status.MPI_TAG, MPI_UNDEFINED);
    trial.expect_result();
  });
}

TEST_P(NonblockingTest, does_it_where_every_question_makes_progress) {
  Native mpi = fake::functions();
  mpi.Request_is_complete = nullptr;
  run_job(size, {.native = mpi, .algorithms = ours, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    for (int k = 0; k < 3; ++k) expect_call(here, task(5));
  });
}

TEST_P(NonblockingTest, keeps_to_its_tags_where_the_numbers_of_calls_begin_again) {
  run_job(size, {.algorithms = ours, .highest_tag = fake::few_tags, .hooks = true}, [](RankOfJob& here) {
    agree_on_tags();
    std::array<std::optional<Trial>, 20> trials;
    std::array<MPI_Request, 20> requests;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      trials[k].emplace(task(static_cast<int>(k % 3) + 3), here.rank());
      EXPECT_EQ(trials[k]->start(form(), &requests[k]), MPI_SUCCESS);
    }
    agree_on_tags();
    for (std::size_t k = trials.size(); k-- > 0;) expect_wait(*trials[k], requests[k]);
  });
}

INSTANTIATE_TEST_SUITE_P(All, NonblockingTest,
                         testing::ValuesIn(nonblocking_forms().begin(), nonblocking_forms().end()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace espalier::nonblocking_test
