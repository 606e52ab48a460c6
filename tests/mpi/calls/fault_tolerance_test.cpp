// SPDX-License-Identifier: Apache-2.0
// Under an MPI that goes on when processes die: calls on a communicator that has lost one are the MPI's to refuse.
#include <gtest/gtest.h>

#include "calls/trial.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

bool is_revoked = false;

Native fault_tolerant_mpi() {
  Native mpi = fake::functions();
  mpi.Comm_is_revoked = [](MPI_Comm, int* revoked) { return *revoked = is_revoked ? 1 : 0, MPI_SUCCESS; };
  mpi.Comm_get_failed = [](MPI_Comm, MPI_Group*) { return MPI_ERR_OTHER; };
  mpi.Barrier = [](MPI_Comm comm) { return is_revoked ? MPI_ERR_OTHER : fake::functions().Barrier(comm); };
  return mpi;
}

const Form& barrier = blocking_forms()[0];
const Task meeting = {.collective = Collective::barrier, .size = 2};

TEST(FaultTolerance, leaves_a_broken_communicator_to_the_mpi) {
  is_revoked = false;
  run_job(2, {.native = fault_tolerant_mpi(), .algorithms = "barrier:dissemination", .fault_tolerant = true},
          [](RankOfJob& here) {
            for (int k = 0; k < 2; ++k) expect_call(barrier, meeting, here.rank());
            EXPECT_EQ(here.calls(Collective::barrier).own, 2u);
            is_revoked = true;
            EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_ERR_OTHER);
            EXPECT_EQ(here.calls(Collective::barrier).native, 1u);
          });
}

TEST(FaultTolerance, ends_a_call_that_waits_for_one_that_will_not_come) {
  is_revoked = false;
  run_job(2, {.native = fault_tolerant_mpi(), .algorithms = "barrier:dissemination", .fault_tolerant = true},
          [](RankOfJob& here) {
            expect_call(barrier, meeting, here.rank());
            if (here.rank() == 0) {
              EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_ERR_OTHER);
            } else {
              for (int k = 0; k < 5; ++k) fake::pass_on();
              is_revoked = true;
            }
          });
}

}  // namespace
}  // namespace espalier
