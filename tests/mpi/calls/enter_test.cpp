// SPDX-License-Identifier: Apache-2.0
// How calls come in, and on which communicator.
#include "mpi/calls/enter.hpp"

#include <gtest/gtest.h>

#include "fake/rank_of_job.hpp"

namespace espalier::enter_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

enum Entered : int { natively = 100, as_unknown, as_known };

const Function function = {.name = "MPI_Barrier",
                           .collective = "barrier",
                           .contract = &contract_of(Collective::barrier),
                           .native = [](const Native&, const Call&) -> int { return natively; }};

int enter_on(MPI_Comm comm) {
  const Call call{.function = &function, .comm = comm};
  return enter(
      call, nullptr, [] { return as_unknown; }, [](PreparedCommunicator&) { return as_known; });
}

TEST(Enter, goes_by_the_communicator_once_that_is_known) {
  run_job(2, {}, [](RankOfJob& here) {
    EXPECT_EQ(enter_on(MPI_COMM_WORLD), as_unknown);
    (void)here.communicator();
    EXPECT_EQ(enter_on(MPI_COMM_WORLD), as_known);
  });
}

TEST(Enter, goes_natively_outside_of_the_job) {
  run_job(2, {}, [](RankOfJob& here) {
    (void)here.communicator();
    here.context().active = false;
    EXPECT_EQ(enter_on(MPI_COMM_WORLD), natively);
    here.context().active = true;
  });
}

TEST(EnterUnknown, makes_a_communicator_known) {
  run_job(2, {}, [](RankOfJob& here) {
    const Call call{.function = &function, .comm = MPI_COMM_WORLD};
    PreparedCommunicator* made = nullptr;
    const int status = enter_unknown(
        call, [](const char*) { return natively; },
        [&](PreparedCommunicator& communicator) { return made = &communicator, as_known; });
    EXPECT_EQ(status, as_known);
    EXPECT_EQ(made, &here.communicator());
    EXPECT_EQ(enter_on(MPI_COMM_WORLD), as_known);
  });
}

TEST(EnterUnknown, passes_on_what_has_no_communicator) {
  run_job(2, {}, [](RankOfJob&) {
    const Call call{.function = &function, .comm = MPI_COMM_NULL};
    const char* reason = nullptr;
    const int status = enter_unknown(
        call, [&](const char* why) { return reason = why, natively; }, [](PreparedCommunicator&) { return as_known; });
    EXPECT_EQ(status, natively);
    EXPECT_STREQ(reason, why::no_communicator);
  });
}

}  // namespace
}  // namespace espalier::enter_test
