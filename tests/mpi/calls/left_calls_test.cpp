// SPDX-License-Identifier: Apache-2.0
// Calls that the application leaves by an exception of its own: nothing of ours catches it, nothing stays under way,
// and the other ranks do not wait endlessly.
#include <gtest/gtest.h>

#include "fake/rank_of_job.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank culprit = 1;
struct Left {};

bool may_add = true;
void add_or_leave(void* left, void* right, int* count, MPI_Datatype*) {
  if (!may_add && fake::my_rank() == culprit) throw Left();
  for (int k = 0; k < *count; ++k) static_cast<int*>(right)[k] += static_cast<const int*>(left)[k];
}

int add(MPI_Op op, int count, int* sum) {
  const std::vector<int> mine(8, 1);
  return ESPALIER_ENTRY(MPI_Allreduce)(mine.data(), sum, count, MPI_INT, op, MPI_COMM_WORLD);
}

void expect_good_call(MPI_Op op, Rank size) {
  int sum[8] = {};
  EXPECT_EQ(add(op, 8, sum), MPI_SUCCESS);
  EXPECT_EQ(sum[0], size);
}

TEST(LeftCalls, by_an_operation_end_for_the_others_too) {
  may_add = true;
  run_job(3, {.algorithms = "allreduce:ring"}, [](RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const MPI_Op op = fake::make_operation(add_or_leave, true);
    expect_good_call(op, 3);
    here.mpi().Barrier(MPI_COMM_WORLD);
    may_add = false;
    int sum[8] = {};
    if (here.rank() == culprit) {
      EXPECT_THROW((void)add(op, 8, sum), Left);
    } else {
      EXPECT_EQ(add(op, 8, sum), MPI_ERR_OTHER);
    }
    here.mpi().Barrier(MPI_COMM_WORLD);
    may_add = true;
    expect_good_call(op, 3);
  });
}

TEST(LeftCalls, by_an_error_handler_end_for_the_others_too) {
  may_add = true;
  run_job(2, {.algorithms = "allreduce:recursive_doubling"}, [](RankOfJob& here) {
    const MPI_Op op = fake::make_operation(add_or_leave, true);
    expect_good_call(op, 2);
    int sum[8] = {};
    if (here.rank() == culprit) {
      here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, fake::make_handler([](MPI_Comm, int) { throw Left(); }));
      EXPECT_THROW((void)add(op, -1, sum), Left);
    } else {
      here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      EXPECT_EQ(add(op, 8, sum), MPI_ERR_OTHER);
    }
    here.mpi().Barrier(MPI_COMM_WORLD);
    expect_good_call(op, 2);
  });
}

TEST(LeftCalls, leave_no_requests_behind) {
  may_add = true;
  run_job(2, {.algorithms = "allreduce:recursive_doubling"}, [](RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const MPI_Op op = fake::make_operation(add_or_leave, true);
    expect_good_call(op, 2);
    here.mpi().Barrier(MPI_COMM_WORLD);
    may_add = false;
    int sum[8] = {};
    if (here.rank() == culprit) {
      EXPECT_THROW((void)add(op, 8, sum), Left);
    } else {
      (void)add(op, 8, sum);
    }
    here.mpi().Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(fake::remains().requests, 0u);
  });
}

}  // namespace
}  // namespace espalier
