// SPDX-License-Identifier: Apache-2.0
// What nonblocking and persistent calls leave in the rows of a report.
#include <gtest/gtest.h>

#include <array>

#include "calls/trial.hpp"
#include "mpi/requests/requests.hpp"
#include "requests/repeated.hpp"

namespace espalier::reported_requests_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

using Rows = std::vector<StatisticsRow>;

constexpr Rank size = 2;

// Those with calls, but for the blocking ones; of rank 0.
Rows rows_after(fake::JobOptions options, const std::function<void(RankOfJob&)>& calls) {
  Rows rows;
  options.report = "report.json";
  run_job(size, options, [&](RankOfJob& here) {
    calls(here);
    if (here.rank() != 0) return;
    const Statistics all = here.context().communicators.statistics();
    for (const StatisticsRow& row : all.rows()) {
      if (row.calls > 0 && row.key.form != CallForm::blocking) rows.push_back(row);
    }
  });
  EXPECT_TRUE(requests().counted.empty());
  return rows;
}

void agree_on_tags() { EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_SUCCESS); }

void add_without_blocking(MPI_Op op = MPI_SUM) {
  const int one = 1;
  int sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Iallreduce)(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &request), MPI_SUCCESS);
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(sum, size);
}

TEST(ReportedRequests, of_our_own_say_what_they_ran_as) {
  const Rows rows = rows_after({.algorithms = own_algorithms, .hooks = true}, [](RankOfJob&) {
    agree_on_tags();
    for (int k = 0; k < 3; ++k) add_without_blocking();
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.collective, "allreduce");
  EXPECT_EQ(rows[0].key.form, CallForm::nonblocking);
  EXPECT_EQ(rows[0].key.algorithm, "ring");
  EXPECT_NE(rows[0].key.parameters, "");
  EXPECT_EQ(rows[0].calls, 3u);
  EXPECT_EQ(rows[0].bytes, 3 * sizeof(int));
}

TEST(ReportedRequests, say_why_they_went_to_the_native_mpi) {
  const auto add = [](void* in, void* out, int*, MPI_Datatype*) { *static_cast<int*>(out) += *static_cast<int*>(in); };
  const auto reason_of = [&](const fake::JobOptions& options, const std::function<void()>& calls) {
    const Rows rows = rows_after(options, [&](RankOfJob&) { calls(); });
    EXPECT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows.at(0).key.algorithm, "native");
    EXPECT_EQ(rows.at(0).calls, 1u);
    return rows.at(0).key.reason;
  };
  const fake::JobOptions ours = {.algorithms = own_algorithms, .hooks = true};
  const auto add_by_op = [&] { agree_on_tags(), add_without_blocking(fake::make_operation(add, true)); };
  EXPECT_NE(reason_of({.algorithms = own_algorithms}, [] { add_without_blocking(); }).find("a hook"),
            std::string::npos);
  EXPECT_NE(reason_of(ours, [] { add_without_blocking(); }).find("came before"), std::string::npos);
  EXPECT_NE(reason_of(ours, add_by_op).find("an operation of the application's"), std::string::npos);
}

TEST(ReportedRequests, are_over_whichever_function_completes_them) {
  using Complete = std::function<void(int, MPI_Request*)>;
  const auto expect_success = [](int status) { EXPECT_EQ(status, MPI_SUCCESS); };
  const Complete functions[] = {
      [&](int count, MPI_Request* all) {
        expect_success(ESPALIER_ENTRY(MPI_Waitall)(count, all, MPI_STATUSES_IGNORE));
      },
      [&](int count, MPI_Request* all) {
        for (int over = 0; over == 0;)
          expect_success(ESPALIER_ENTRY(MPI_Testall)(count, all, &over, MPI_STATUSES_IGNORE));
      },
      [&](int count, MPI_Request* all) {
        int which = 0;
        for (int k = 0; k < count; ++k)
          expect_success(ESPALIER_ENTRY(MPI_Waitany)(count, all, &which, MPI_STATUS_IGNORE));
      },
      [&](int count, MPI_Request* all) {
        for (int k = 0; k < count; ++k) {
          for (int over = 0; over == 0;) expect_success(ESPALIER_ENTRY(MPI_Test)(&all[k], &over, MPI_STATUS_IGNORE));
        }
      },
  };
  for (const bool hooks : {false, true}) {
    for (const Complete& complete : functions) {
      const Rows rows = rows_after({.algorithms = own_algorithms, .hooks = hooks}, [&](RankOfJob&) {
        agree_on_tags();
        std::array<MPI_Request, 3> all{};
        for (MPI_Request& one : all) {
          EXPECT_EQ(ESPALIER_ENTRY(MPI_Ibarrier)(MPI_COMM_WORLD, &one), MPI_SUCCESS);
        }
        complete(static_cast<int>(all.size()), all.data());
      });
      ASSERT_EQ(rows.size(), 1u);
      EXPECT_EQ(rows[0].calls, 3u);
    }
  }
}

TEST(ReportedRequests, of_persistent_calls_are_one_for_each_start) {
  for (const bool hooks : {false, true}) {
    const Rows rows = rows_after({.algorithms = own_algorithms, .hooks = hooks}, [](RankOfJob& here) {
      Repeated one(here, Kind::allreduce, 3), never(here, Kind::bcast, 3);
      for (int round = 0; round < 4; ++round) {
        one.start(round);
        one.expect_wait();
      }
    });
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].key.form, CallForm::persistent);
    EXPECT_EQ(rows[0].key.algorithm, hooks ? "ring" : "native");
    EXPECT_EQ(rows[0].calls, 4u);
    EXPECT_EQ(rows[0].bytes, 4 * 3 * sizeof(int));
  }
}

TEST(ReportedRequests, started_together_are_a_call_each) {
  const Rows rows = rows_after({.algorithms = own_algorithms, .hooks = true}, [](RankOfJob& here) {
    Repeated one(here, Kind::allreduce), other(here, Kind::allreduce);
    one.fill(0), other.fill(0);
    MPI_Request both[] = {one.request, other.request};
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Startall)(2, both), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitall)(2, both, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].calls, 2u);
}

TEST(ReportedRequests, may_outlive_their_communicator) {
  const Rows rows = rows_after({}, [](RankOfJob& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    EXPECT_EQ(here.mpi().Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Ibarrier)(copy, &request), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Comm_free)(&copy), MPI_SUCCESS);
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].calls, 1u);
}

TEST(ReportedRequests, are_not_kept_without_a_report) {
  run_job(size, {.algorithms = own_algorithms, .hooks = true}, [](const RankOfJob& here) {
    const Repeated one(here, Kind::allreduce);
    EXPECT_TRUE(requests().counted.empty());
  });
}

class NeighbourRequestsTest : public testing::TestWithParam<Form> {};

TEST_P(NeighbourRequestsTest, are_passed_on_and_reported) {
  const Form& form = GetParam();
  const Rows rows = rows_after({.algorithms = own_algorithms, .hooks = true}, [&](RankOfJob& here) {
    Trial trial({.collective = form.collective, .size = size, .count = 3, .is_uneven = form.is_uneven}, here.rank());
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(trial.start(form, &request), MPI_SUCCESS);
    const bool is_persistent = std::string_view(form.name).find("_init") != std::string_view::npos;
    if (is_persistent) (void)ESPALIER_ENTRY(MPI_Start)(&request);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    if (is_persistent) (void)ESPALIER_ENTRY(MPI_Request_free)(&request);
    trial.expect_result();
  });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key.collective, "neighbor_" + std::string(name_of(form.collective)));
  EXPECT_EQ(rows[0].key.algorithm, "native");
  EXPECT_EQ(rows[0].calls, 1u);
}

const auto name_of_form = [](const auto& tested) { return std::string(tested.param.name); };
INSTANTIATE_TEST_SUITE_P(Nonblocking, NeighbourRequestsTest, testing::ValuesIn(nonblocking_neighbour_forms()),
                         name_of_form);
INSTANTIATE_TEST_SUITE_P(Persistent, NeighbourRequestsTest, testing::ValuesIn(persistent_neighbour_forms()),
                         name_of_form);

TEST(CountedRequests, find_the_last_one_that_had_the_handle) {
  CountedRequests all;
  StatisticsRow first, second;
  const MPI_Request handle = 77;
  all.insert(handle, {.row = &first});
  const auto before = all.find(handle);
  all.insert(handle, {.row = &second});
  ASSERT_TRUE(before && all.find(handle));
  EXPECT_EQ(all.find(handle)->row, &second);
  all.remove(handle, before->number);
  EXPECT_TRUE(all.find(handle));
  all.remove(handle, all.find(handle)->number);
  EXPECT_FALSE(all.find(handle));
  EXPECT_TRUE(all.empty());
}

}  // namespace
}  // namespace espalier::reported_requests_test
