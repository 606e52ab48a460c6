// SPDX-License-Identifier: Apache-2.0
// What calls leave in the rows of a report.
#include <gtest/gtest.h>

#include "calls/trial.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

const Form& broadcast = blocking_forms()[1];
Task broadcast_of(int count) { return {.collective = Collective::bcast, .size = 2, .count = count}; }

std::deque<StatisticsRow> rows_after(const std::string& algorithms, const std::function<void(Rank)>& calls) {
  std::deque<StatisticsRow> rows;
  run_job(2, {.algorithms = algorithms, .report = "report.json"}, [&](RankOfJob& here) {
    calls(here.rank());
    if (here.rank() == 0) rows = here.context().communicators.statistics().rows();
  });
  return rows;
}

TEST(ReportedCalls, of_a_kind_are_one_row) {
  const auto rows = rows_after("bcast:chain,segment=1KiB,window=3", [](Rank me) {
    for (int k = 0; k < 3; ++k) expect_call(broadcast, broadcast_of(4), me);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.collective, "bcast");
  EXPECT_EQ(rows[0].key.form, CallForm::blocking);
  EXPECT_EQ(rows[0].key.algorithm, "chain");
  EXPECT_EQ(rows[0].key.parameters, "segment=1KiB,window=3");
  EXPECT_EQ(rows[0].key.size_class, size_class_of(16));
  EXPECT_EQ(rows[0].calls, 3u);
  EXPECT_EQ(rows[0].bytes, 48u);
}

TEST(ReportedCalls, say_the_radix_where_there_is_one) {
  const auto rows = rows_after("bcast:knomial,radix=4", [](Rank me) { expect_call(broadcast, broadcast_of(4), me); });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_NE(rows[0].key.parameters.find(",radix=4"), std::string::npos);
}

TEST(ReportedCalls, say_why_they_went_to_the_native_mpi) {
  const auto rows = rows_after("bcast:chain", [](Rank me) { expect_call(broadcast, broadcast_of(0), me); });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.algorithm, "native");
  EXPECT_EQ(rows[0].key.reason, "an empty message");
  EXPECT_EQ(rows[0].key.parameters, "");
}

TEST(ReportedCalls, say_first_what_is_unusual_of_their_communicator) {
  const auto rows = rows_after("bcast:chain", [](Rank) {
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast)(nullptr, 0, MPI_INT, 0, MPI_COMM_SELF), MPI_SUCCESS);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.reason, "a single rank");
}

TEST(ReportedCalls, that_change_their_algorithm_have_a_row_for_each) {
  const auto rows = rows_after("bcast:in-turn", [](Rank me) {
    for (int k = 0; k < 4; ++k) expect_call(broadcast, broadcast_of(4), me);
  });
  EXPECT_EQ(rows.size(), 4u);
  for (const StatisticsRow& row : rows) EXPECT_EQ(row.calls, 1u);
}

TEST(ReportedCalls, of_uneven_blocks_have_the_bytes_of_their_mean) {
  const std::vector<int> sent = {10, 20}, places = {0, 10};
  const auto rows = rows_after("", [&](Rank me) {
    const std::vector<int> received = {me == 0 ? 10 : 20, me == 0 ? 10 : 20}, received_places = {0, received[0]};
    std::vector<int> input(30), output(40);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Alltoallv)(input.data(), sent.data(), places.data(), MPI_INT, output.data(),
                                            received.data(), received_places.data(), MPI_INT, MPI_COMM_WORLD),
              MPI_SUCCESS);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].bytes, 15 * sizeof(int));
  EXPECT_EQ(rows[0].key.size_class, size_class_of(15 * sizeof(int)));
}

// Of one rank alone, by a native function that does nothing.
std::deque<StatisticsRow> rows_of_native(const Native& mpi, const std::function<void()>& call) {
  std::deque<StatisticsRow> rows;
  run_job(1, {.native = mpi, .algorithms = some_algorithms(), .report = "report.json"}, [&](RankOfJob& here) {
    call();
    rows = here.context().communicators.statistics().rows();
  });
  return rows;
}

TEST(ReportedCalls, between_groups_have_blocks_for_the_other_group) {
  Native mpi = fake::functions();
  mpi.Alltoallv = [](const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype,
                     MPI_Comm) { return MPI_SUCCESS; };
  const auto rows = rows_of_native(mpi, [] {
    const MPI_Comm between = fake::make_intercommunicator({0, 1, 2}, {3});
    const std::vector<int> count = {5}, place = {0};
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Alltoallv)(nullptr, count.data(), place.data(), MPI_INT, nullptr, count.data(),
                                              place.data(), MPI_INT, between),
                MPI_SUCCESS);
    }
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.reason, "an intercommunicator");
  EXPECT_EQ(rows[0].bytes, 2 * 5 * sizeof(int));
}

TEST(ReportedCalls, between_groups_mean_nothing_of_those_that_take_no_part) {
  Native mpi = fake::functions();
  mpi.Bcast = [](void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_SUCCESS; };
  const auto rows = rows_of_native(mpi, [] {
    const MPI_Comm between = fake::make_intercommunicator({0, 1}, {2, 3});
    for (const int root : {int{MPI_ROOT}, int{MPI_PROC_NULL}, 1}) {
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast)(nullptr, 4, MPI_INT, root, between), MPI_SUCCESS);
    }
  });
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].calls, 2u);
  EXPECT_EQ(rows[0].bytes, 2 * 4 * sizeof(int));
  EXPECT_EQ(rows[1].bytes, 0u);
}

TEST(ReportedCalls, on_no_communicator_are_there_too) {
  Native mpi = fake::functions();
  mpi.Barrier = [](MPI_Comm) { return MPI_ERR_COMM; };
  const auto rows = rows_of_native(mpi, [] { EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_NULL), MPI_ERR_COMM); });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.algorithm, "native");
  EXPECT_EQ(rows[0].calls, 1u);
}

TEST(ReportedCalls, of_a_single_rank_are_there_too) {
  const auto rows = rows_of_native(fake::functions(), [] {
    for (int k = 0; k < 2; ++k) EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_SELF), MPI_SUCCESS);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.reason, "a single rank");
  EXPECT_EQ(rows[0].calls, 2u);
}

class NeighbourCallsTest : public testing::TestWithParam<Form> {
 protected:
  [[nodiscard]] static Task task(int count) {
    return {.collective = GetParam().collective, .size = 2, .count = count, .is_uneven = GetParam().is_uneven};
  }
};

TEST_P(NeighbourCallsTest, are_passed_on_and_reported) {
  const auto rows = rows_after(some_algorithms(), [](Rank me) {
    for (int k = 0; k < 3; ++k) expect_call(GetParam(), task(4), me);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.collective, "neighbor_" + std::string(name_of(GetParam().collective)));
  EXPECT_EQ(rows[0].key.algorithm, "native");
  EXPECT_EQ(rows[0].calls, 3u);
  EXPECT_GT(rows[0].bytes, 0u);
}

TEST_P(NeighbourCallsTest, are_passed_on_without_a_report) {
  run_job(2, {.algorithms = some_algorithms()}, [](RankOfJob& here) {
    expect_call(GetParam(), task(4), here.rank());
    EXPECT_TRUE(here.context().communicators.statistics().rows().empty());
  });
}

INSTANTIATE_TEST_SUITE_P(All, NeighbourCallsTest, testing::ValuesIn(blocking_neighbour_forms()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace espalier
