// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a call is raised once, on the application's communicator, on all ranks that it keeps from their
// result; and the next call goes well.
#include "mpi/calls/errors.hpp"

#include <gtest/gtest.h>

#include "calls/trial.hpp"

namespace espalier::errors_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 4;
constexpr Rank culprit = 1;

constexpr const char* by_all_ranks = "allreduce:recursive_doubling";  // each adds something

class ErrorTest : public testing::Test {
 protected:
  // On all ranks; errors are returned. Afterwards calls go well again.
  void run(const std::function<void(RankOfJob&)>& body, const std::string& algorithms = "allreduce:ring;bcast:chain") {
    run_job(size, {.native = mpi, .algorithms = algorithms}, [&](RankOfJob& here) {
      here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      EXPECT_EQ(add(here), MPI_SUCCESS);
      body(here);
      is_broken = false;
      EXPECT_EQ(add(here), MPI_SUCCESS);
    });
  }
  // The culprit's call fails with one code, and so do those of the others with theirs; each raises its code once.
  void expect_failure(RankOfJob& here, int status, int of_culprit, int of_others) {
    EXPECT_EQ(status, here.rank() == culprit ? of_culprit : of_others);
    EXPECT_EQ(fake::take_raised(), std::vector<int>{status});
    here.mpi().Barrier(MPI_COMM_WORLD);
  }
  static int add(RankOfJob& here, int count = 8) {
    std::vector<int> sum(static_cast<std::size_t>(std::max(count, 0)));
    const std::vector<int> mine(sum.size(), here.rank());
    const int status = ESPALIER_ENTRY(MPI_Allreduce)(mine.data(), sum.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_TRUE(status != MPI_SUCCESS || sum == std::vector<int>(sum.size(), size * (size - 1) / 2));
    return status;
  }

  Native mpi = fake::functions();
  static inline bool is_broken = false;  // what the culprit's MPI cannot do, it cannot do while this is so
};

TEST_F(ErrorTest, of_wrong_arguments_is_the_native_mpis_and_comes_to_the_others) {
  run([&](RankOfJob& here) {
    expect_failure(here, add(here, here.rank() == culprit ? -1 : 8), fake::code_of(MPI_ERR_COUNT), MPI_ERR_OTHER);
  });
}

TEST_F(ErrorTest, of_wrong_arguments_everywhere_is_the_native_mpis) {
  run([&](RankOfJob& here) {
    int number = 0;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast)(&number, 1, MPI_INT, size, MPI_COMM_WORLD), fake::code_of(MPI_ERR_ROOT));
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast)(&number, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD), fake::code_of(MPI_ERR_TYPE));
    EXPECT_EQ(fake::take_raised().size(), 2u);
    here.mpi().Barrier(MPI_COMM_WORLD);
  });
}

TEST_F(ErrorTest, of_a_send_of_one_rank_comes_to_the_others) {
  mpi.Isend = [](const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                 MPI_Request* request) {
    const bool fails = is_broken && fake::my_rank() == culprit && count > 2;  // notices are short
    return fails ? fake::code_of(MPI_ERR_OTHER) : fake::functions().Isend(buffer, count, type, to, tag, comm, request);
  };
  run([&](RankOfJob& here) {
    is_broken = true;
    expect_failure(here, add(here, 90), MPI_ERR_OTHER, MPI_ERR_OTHER);
  });
}

TEST_F(ErrorTest, of_packing_on_one_rank_comes_to_the_others) {
  mpi.Pack = [](const void* buffer, int count, MPI_Datatype type, void* to, int bytes, int* position, MPI_Comm comm) {
    const bool fails = is_broken && fake::my_rank() == culprit;
    return fails ? fake::code_of(MPI_ERR_NO_MEM)
                 : fake::functions().Pack(buffer, count, type, to, bytes, position, comm);
  };
  run(
      [&](RankOfJob& here) {
        is_broken = true;
        MPI_Datatype gaps = fake::make_vector(2, 1, 2, MPI_INT);
        here.mpi().Type_commit(&gaps);
        int mine[3] = {}, all[size * 3] = {};
        const int status = ESPALIER_ENTRY(MPI_Allgather)(mine, 1, gaps, all, 1, gaps, MPI_COMM_WORLD);
        expect_failure(here, status, MPI_ERR_NO_MEM, MPI_ERR_NO_MEM);
      },
      "allreduce:ring;allgather:ring");
}

TEST_F(ErrorTest, of_unpacking_is_the_ranks_alone) {
  mpi.Unpack = [](const void* from, int bytes, int* position, void* to, int count, MPI_Datatype type, MPI_Comm comm) {
    const bool fails = fake::my_rank() == culprit;
    return fails ? fake::code_of(MPI_ERR_NO_MEM)
                 : fake::functions().Unpack(from, bytes, position, to, count, type, comm);
  };
  run([&](RankOfJob& here) {
    MPI_Datatype gaps = fake::make_vector(2, 1, 2, MPI_INT);
    here.mpi().Type_commit(&gaps);
    int numbers[3] = {1, 2, 3};
    const int status = ESPALIER_ENTRY(MPI_Bcast)(numbers, 1, gaps, 0, MPI_COMM_WORLD);
    EXPECT_EQ(status, here.rank() == culprit ? MPI_ERR_NO_MEM : MPI_SUCCESS);
    EXPECT_EQ(fake::take_raised().size(), status == MPI_SUCCESS ? 0u : 1u);
  });
}

TEST_F(ErrorTest, of_a_local_reduction_is_raised) {
  mpi.Reduce_local = [](const void*, void*, int, MPI_Datatype, MPI_Op) { return fake::code_of(MPI_ERR_OP); };
  run(
      [&](RankOfJob& here) {
        const MPI_Op op = fake::make_operation(nullptr, true);
        int mine = 1, sum = 0;
        EXPECT_EQ(ESPALIER_ENTRY(MPI_Allreduce)(&mine, &sum, 1, MPI_INT, op, MPI_COMM_WORLD), MPI_ERR_OP);
        EXPECT_EQ(fake::take_raised(), std::vector<int>{MPI_ERR_OP});
        here.mpi().Barrier(MPI_COMM_WORLD);
      },
      by_all_ranks);
}

TEST_F(ErrorTest, of_messages_that_are_too_long_is_raised_where_they_arrive) {
  run([&](RankOfJob& here) {
    int numbers[4] = {};
    const int count = here.rank() == 0 ? 4 : 2;
    const int status = ESPALIER_ENTRY(MPI_Bcast)(numbers, count, MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT_EQ(status, here.rank() == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);  // who hands on what fits
    (void)fake::take_raised();
    here.mpi().Barrier(MPI_COMM_WORLD);
  });
}

TEST_F(ErrorTest, of_the_agreement_on_tags_is_the_native_mpis) {
  mpi.Allreduce = [](const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return op == MPI_BAND ? fake::code_of(MPI_ERR_OTHER)
                          : fake::functions().Allreduce(input, output, count, type, op, comm);
  };
  run_job(size, {.native = mpi, .algorithms = "allreduce:ring"}, [&](RankOfJob& here) {
    EXPECT_EQ(add(here), fake::code_of(MPI_ERR_OTHER));
    EXPECT_EQ(here.calls(Collective::allreduce).own, 0u);
  });
}

// The other ranks may agree on the communicator already: by the native MPI alone this one would make another call.
TEST_F(ErrorTest, of_a_communicator_that_cannot_be_kept_ends_the_call) {
  mpi.Comm_set_attr = [](MPI_Comm comm, int key, void* value) {
    return comm == MPI_COMM_WORLD ? fake::code_of(MPI_ERR_NO_MEM) : fake::functions().Comm_set_attr(comm, key, value);
  };
  run_job(size, {.native = mpi, .algorithms = "allreduce:ring"}, [&](RankOfJob& here) {
    EXPECT_EQ(add(here), fake::code_of(MPI_ERR_NO_MEM));
    EXPECT_EQ(here.calls(Collective::allreduce).native, 0u);
  });
}

TEST_F(ErrorTest, of_our_own_is_said_and_becomes_a_code) {
  run_job(1, {}, [](RankOfJob&) {
    const Function function{.name = "MPI_Barrier", .contract = &contract_of(Collective::barrier)};
    const Call call{.function = &function};
    testing::internal::CaptureStderr();
    EXPECT_EQ(guarded(call, [] { throw std::bad_alloc(); }), MPI_ERR_NO_MEM);
    EXPECT_EQ(guarded(call, [] { throw std::runtime_error("tired"); }), MPI_ERR_INTERN);
    EXPECT_EQ(guarded(call, [] {}), MPI_SUCCESS);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "espalier: rank 0: MPI_Barrier failed: out of memory\n"
              "espalier: rank 0: MPI_Barrier failed: tired\n");
  });
}

TEST_F(ErrorTest, is_said_where_it_ends_the_job) {
  run_job(2, {.algorithms = "bcast:chain"}, [&](RankOfJob& here) {
    int numbers[4] = {};
    if (here.rank() == 0) {
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast)(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    } else {
      testing::internal::CaptureStderr();
      EXPECT_THROW((void)ESPALIER_ENTRY(MPI_Bcast)(numbers, 2, MPI_INT, 0, MPI_COMM_WORLD), fake::JobEnded);
      EXPECT_EQ(testing::internal::GetCapturedStderr(),
                "espalier: rank 1 of MPI_COMM_WORLD: an error in MPI_Bcast: fake error " +
                    std::to_string(MPI_ERR_TRUNCATE) + "\n");
    }
  });
}

}  // namespace
}  // namespace espalier::errors_test
