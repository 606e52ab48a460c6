// SPDX-License-Identifier: Apache-2.0
// Ranks that choose by time share what they measured in the middle of calls.
#include "mpi/calls/sharing.hpp"

#include <gtest/gtest.h>

#include "calls/trial.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank ranks = 3;
constexpr Rank refuser = 1;
constexpr int calls_before_sharing = 8;  // of messages that are not short

int add_many(RankOfJob& here, int count = 2000) {
  std::vector<int> sum(2000);
  const std::vector<int> mine(sum.size(), here.rank());
  const int status = ESPALIER_ENTRY(MPI_Allreduce)(mine.data(), sum.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_TRUE(status != MPI_SUCCESS || sum == std::vector<int>(sum.size(), 3));
  return status;
}

TEST(Sharing, gives_all_ranks_the_sums) {
  run_job(ranks, {}, [](RankOfJob& here) {
    PreparedCommunicator& communicator = here.communicator();
    communicator.begin_call();
    ASSERT_EQ(communicator.join("barrier"), MPI_SUCCESS);
    for (int k = 0; k < 3; ++k) {
      std::vector<double> numbers = {1.0 * here.rank(), .5};
      const Shared shared = share_sums(communicator, numbers);
      EXPECT_EQ(shared.status, MPI_SUCCESS);
      EXPECT_EQ(numbers, (std::vector<double>{3, 1.5}));
    }
  });
}

TEST(Sharing, lets_calls_be_chosen_by_time) {
  run_job(ranks, {.policy = TuningPolicy::star}, [](RankOfJob& here) {
    const auto counted = [&] { return here.calls(Collective::allreduce); };
    for (int k = 0; k < 20000 && counted().own == 0; ++k) EXPECT_EQ(add_many(here), MPI_SUCCESS);
    EXPECT_GT(counted().own, 0u);
    EXPECT_GT(counted().native, 0u);
  });
}

// It does not come to the sharing, and the others do not wait for it.
TEST(Sharing, ends_where_a_rank_refuses_the_call) {
  run_job(ranks, {.algorithms = "barrier:dissemination", .policy = TuningPolicy::race}, [](RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_SUCCESS);  // all have joined
    for (int k = 0; k < calls_before_sharing; ++k) EXPECT_EQ(add_many(here), MPI_SUCCESS);
    const bool refuses = here.rank() == refuser;
    const int status = add_many(here, refuses ? -1 : 2000);
    EXPECT_EQ(status, refuses ? fake::code_of(MPI_ERR_COUNT) : MPI_ERR_OTHER);
    EXPECT_EQ(fake::take_raised(), std::vector<int>{status});
    here.mpi().Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < 100; ++k) EXPECT_EQ(add_many(here), MPI_SUCCESS);
  });
}

}  // namespace
}  // namespace espalier
