// SPDX-License-Identifier: Apache-2.0
// What the driver of blocking calls makes of what a work says.
#include "mpi/calls/blocking_call.hpp"

#include <gtest/gtest.h>

#include "fake/rank_of_job.hpp"

namespace espalier::blocking_call_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

int native_calls = 0;

const Function function = {.name = "MPI_Neighbor_alltoall",
                           .collective = "neighbor_alltoall",
                           .kind = FunctionKind::exchange,
                           .native = [](const Native&, const Call&) -> int { return ++native_calls, MPI_SUCCESS; }};

class FakeWork final : public BlockingWork {
 public:
  explicit FakeWork(RanAs ran_as, int status = MPI_SUCCESS) : ran_as_(std::move(ran_as)), status_(status) {}

  [[nodiscard]] int agree(AgreedCall& agreed) override {
    agreed.ran_as = ran_as_;
    return status_;
  }
  [[nodiscard]] std::optional<std::size_t> bytes(const RanAs& /*ran_as*/) const override { return bytes_if_reported; }
  [[nodiscard]] Preparation prepare() override { throw std::bad_alloc(); }
  void remember(Prepared* prepared, const Buffers& /*buffers*/, const Watchers& /*watchers*/) noexcept override {
    remembered += prepared == nullptr ? 1 : 0;
  }

  int remembered = 0;  // as native
  std::optional<std::size_t> bytes_if_reported;

 private:
  const RanAs ran_as_;
  const int status_;
};

int run(RankOfJob& here, FakeWork& work) {
  native_calls = 0;
  const Call call{.function = &function, .comm = MPI_COMM_WORLD};
  return do_blocking_call(call, here.communicator(), work);
}

TEST(BlockingCall, ends_with_the_error_of_the_agreement) {
  run_job(1, {}, [](RankOfJob& here) {
    FakeWork work(ran_natively("whatever"), MPI_ERR_INTERN);
    EXPECT_EQ(run(here, work), MPI_ERR_INTERN);
    EXPECT_EQ(native_calls, 0);
    EXPECT_EQ(work.remembered, 0);
  });
}

TEST(BlockingCall, runs_natively_and_remembers_that_if_the_work_says_so) {
  run_job(1, {}, [](RankOfJob& here) {
    FakeWork work(ran_natively("whatever"));
    EXPECT_EQ(run(here, work), MPI_SUCCESS);
    EXPECT_EQ(native_calls, 1);
    EXPECT_EQ(work.remembered, 1);
  });
}

TEST(BlockingCall, raises_an_error_and_does_not_run_without_memory_for_what_is_ours) {
  run_job(1, {}, [](RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    FakeWork work({.choice = {.reason = "asked for"}, .by = "even"});
    EXPECT_EQ(run(here, work), MPI_ERR_NO_MEM);
    EXPECT_EQ(native_calls, 0);
    EXPECT_EQ(work.remembered, 0);
  });
}

// The handler of the error may free the communicator, and its rows with it.
TEST(BlockingCall, that_ended_in_an_error_before_it_ran_counts_nowhere) {
  run_job(1, {.report = "report.json"}, [](RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    FakeWork work({.choice = {.reason = "asked for"}, .by = "even"});
    work.bytes_if_reported = 8;
    EXPECT_EQ(run(here, work), MPI_ERR_NO_MEM);
    ASSERT_EQ(here.communicator().statistics.rows().size(), 1u);
    EXPECT_EQ(here.communicator().statistics.rows().front().calls, 0u);
  });
}

TEST(BlockingCall, that_looked_wrong_and_is_accepted_says_so) {
  run_job(1, {}, [](RankOfJob& here) {
    FakeWork work(ran_natively("bad arguments", "a count is negative"));
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(here, work), MPI_SUCCESS);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("a count is negative"), std::string::npos);
    EXPECT_EQ(native_calls, 1);
  });
}

}  // namespace
}  // namespace espalier::blocking_call_test
