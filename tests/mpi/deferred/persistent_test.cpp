// SPDX-License-Identifier: Apache-2.0
// Persistent collectives do what their contracts say, as often as they are started.
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "calls/trial.hpp"
#include "requests/repeated.hpp"

namespace espalier::persistent_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 3;

class PersistentFormTest : public testing::TestWithParam<Form> {
 protected:
  [[nodiscard]] static Task task(Rank ranks) {
    return {.collective = GetParam().collective, .size = ranks, .count = 5, .is_uneven = GetParam().is_uneven};
  }
  // One round on each rank, and how many calls were our own.
  static void expect_one_round(const RankOfJob& here, std::uint64_t own, const Manner& manner = {}) {
    const Form& form = GetParam();
    const std::uint64_t before = here.calls(form.collective).own;
    Trial trial(task(here.size()), here.rank(), manner);
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(trial.start(form, &request), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Start)(&request), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    trial.expect_result();
    EXPECT_EQ(here.calls(form.collective).own, before + own);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_free)(&request), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  }
};

TEST_P(PersistentFormTest, does_what_its_contract_says) {
  run_job(size, {.algorithms = some_algorithms(), .hooks = true}, [](const RankOfJob& here) {
    for (const bool in_place : {false, true}) expect_one_round(here, 1, {.in_place = in_place});
  });
  EXPECT_EQ(fake::remains().requests, 0u);
  EXPECT_EQ(fake::remains().messages, 0u);
}

TEST_P(PersistentFormTest, is_the_native_mpis_without_a_hook_into_its_progress) {
  run_job(size, {.algorithms = some_algorithms()}, [](const RankOfJob& here) { expect_one_round(here, 0); });
  EXPECT_EQ(fake::remains().requests, 0u);
}

TEST_P(PersistentFormTest, is_the_native_mpis_if_that_is_chosen) {
  run_job(size, {.hooks = true}, [](const RankOfJob& here) { expect_one_round(here, 0); });
}

TEST_P(PersistentFormTest, is_the_native_mpis_outside_of_the_job) {
  run_job(size, {.algorithms = some_algorithms(), .hooks = true}, [](RankOfJob& here) {
    here.context().active = false;
    expect_one_round(here, 0);
  });
}

TEST_P(PersistentFormTest, may_be_missing_in_the_native_mpi) {
  Native mpi = fake::functions();
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) mpi.Name##_init = nullptr;
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
  run_job(size, {.native = mpi, .algorithms = some_algorithms(), .hooks = true}, [](RankOfJob& here) {
    expect_one_round(here, 1);
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    here.context().active = false;
    const Form& form = GetParam();
    Trial trial(task(size), here.rank());
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_NE(trial.start(form, &request), MPI_SUCCESS);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  });
}

INSTANTIATE_TEST_SUITE_P(All, PersistentFormTest,
                         testing::ValuesIn(persistent_forms().begin(), persistent_forms().end()),
                         [](const auto& tested) { return std::string(tested.param.name); });

class PersistentTest : public testing::Test {
 protected:
  void run(const std::function<void(RankOfJob&)>& body) const {
    run_job(size, {.native = mpi, .algorithms = own_algorithms, .hooks = true}, body);
    EXPECT_EQ(fake::remains(), fake::Remains{});
  }
  Native mpi = fake::functions();
};

TEST_F(PersistentTest, may_be_started_again_and_again) {
  run([](const RankOfJob& here) {
    for (const Kind kind : all_kinds) {
      Repeated one(here, kind, 7);
      for (int round = 0; round < 5; ++round) {
        one.start(round);
        one.expect_wait();
      }
    }
    EXPECT_EQ(here.calls(Collective::bcast).own, 5u);
    EXPECT_EQ(here.calls(Collective::allreduce).own, 10u);
  });
}

TEST_F(PersistentTest, may_be_started_and_completed_in_another_order_on_each_rank) {
  run([](const RankOfJob& here) {
    std::deque<Repeated> all;
    for (int k = 0; k < 6; ++k) all.emplace_back(here, all_kinds[k % 3], k % 2 + 2);
    for (int round = 0; round < 4; ++round) {
      const auto shifted = [&](int k) { return static_cast<std::size_t>((k * 5 + round + 2 * here.rank()) % 6); };
      for (int k = 0; k < 6; ++k) all[shifted(k)].start(round);
      for (int k = 6; k-- > 0;) all[shifted(k)].expect_wait();
    }
  });
}

TEST_F(PersistentTest, go_on_in_blocking_calls) {
  run([](const RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    Repeated other(here, Kind::bcast);
    one.start(1);
    other.start(2);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(here.mpi().Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    other.expect_wait();
    one.expect_wait();
  });
}

TEST_F(PersistentTest, run_where_every_question_makes_progress) {
  mpi.Request_is_complete = nullptr;
  run([](const RankOfJob& here) {
    std::deque<Repeated> all;
    for (const Kind kind : all_kinds) all.emplace_back(here, kind);
    for (int round = 0; round < 3; ++round) {
      for (Repeated& one : all) one.start(round);
      for (Repeated& one : all) one.expect_wait();
    }
  });
}

TEST_F(PersistentTest, outlive_their_communicator) {
  run([](const RankOfJob& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    Repeated one(here, Kind::allreduce, 3, copy);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Comm_free)(&copy), MPI_SUCCESS);
    for (int round = 0; round < 2; ++round) {
      one.start(round);
      one.expect_wait();
    }
  });
}

TEST_F(PersistentTest, outlive_their_datatypes) {
  run([](const RankOfJob& here) {
    MPI_Datatype apart = fake::make_vector(2, 1, 2, MPI_INT);
    here.mpi().Type_commit(&apart);
    std::array<int, 3> numbers{};
    MPI_Request one = MPI_REQUEST_NULL;
    ASSERT_EQ(ESPALIER_ENTRY(MPI_Bcast_init)(numbers.data(), 1, apart, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &one),
              MPI_SUCCESS);
    here.mpi().Type_free(&apart);
    for (int round = 1; round < 4; ++round) {
      numbers = here.rank() == 0 ? std::array{round, 0, 2 * round} : std::array{-1, -1, -1};
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Start)(&one), MPI_SUCCESS);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&one, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(numbers, (std::array{round, here.rank() == 0 ? 0 : -1, 2 * round}));
    }
    EXPECT_EQ(here.calls(Collective::bcast).own, 3u);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_free)(&one), MPI_SUCCESS);
  });
}

TEST_F(PersistentTest, with_operations_of_the_application_are_the_native_mpis) {
  run([](const RankOfJob& here) {
    const MPI_Op op = fake::make_operation(
        [](void* in, void* inout, int*, MPI_Datatype*) { *static_cast<int*>(inout) += *static_cast<int*>(in); }, true);
    int mine = here.rank(), all = 0;
    MPI_Request one = MPI_REQUEST_NULL;
    ASSERT_EQ(ESPALIER_ENTRY(MPI_Allreduce_init)(&mine, &all, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &one),
              MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Start)(&one), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&one, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(all, 3);
    EXPECT_EQ(here.calls(Collective::allreduce).own, 0u);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_free)(&one), MPI_SUCCESS);
  });
}

}  // namespace
}  // namespace espalier::persistent_test
