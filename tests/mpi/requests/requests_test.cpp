// SPDX-License-Identifier: Apache-2.0
// What nonblocking calls keep until they are over, and what becomes of those that go wrong.
#include <gtest/gtest.h>

#include <array>

#include "fake/rank_of_job.hpp"
#include "requests/repeated.hpp"

namespace espalier::requests_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 2;

class RequestTest : public testing::Test {
 protected:
  void run(const std::function<void(RankOfJob&)>& body, int highest_tag = 0x3fffff) const {
    run_job(size, {.native = mpi, .algorithms = own_algorithms, .highest_tag = highest_tag, .hooks = true},
            [&](RankOfJob& here) {
              here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
              EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_SUCCESS);
              body(here);
            });
  }
  // From rank 0.
  static int start_broadcast(void* buffer, MPI_Datatype type, MPI_Request& request, MPI_Comm comm = MPI_COMM_WORLD) {
    return ESPALIER_ENTRY(MPI_Ibcast)(buffer, 1, type, 0, comm, &request);
  }
  static int wait(MPI_Request& request) { return ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE); }
  [[nodiscard]] static std::uint64_t own(const RankOfJob& here) { return here.calls(Collective::bcast).own; }

  Native mpi = fake::functions();
};

TEST_F(RequestTest, outlive_their_datatypes) {
  run([](RankOfJob& here) {
    MPI_Datatype apart = fake::make_vector(2, 1, 2, MPI_INT);
    here.mpi().Type_commit(&apart);
    std::array<int, 3> numbers = {0, 0, 0};
    if (here.rank() == 0) numbers = {1, 2, 3};
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(start_broadcast(numbers.data(), apart, one), MPI_SUCCESS);
    EXPECT_EQ(own(here), 1u);
    here.mpi().Type_free(&apart);
    EXPECT_EQ(wait(one), MPI_SUCCESS);
    EXPECT_EQ(numbers, (here.rank() == 0 ? std::array<int, 3>{1, 2, 3} : std::array<int, 3>{1, 0, 3}));
  });
  EXPECT_EQ(fake::remains().datatypes, 0u);
}

TEST_F(RequestTest, may_move_data_at_absolute_addresses) {
  run([](RankOfJob& here) {
    int first = 10 - here.rank(), second = 20 - here.rank();
    const int lengths[] = {1, 1};
    const MPI_Aint addresses[] = {reinterpret_cast<MPI_Aint>(&first), reinterpret_cast<MPI_Aint>(&second)};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Datatype both = MPI_DATATYPE_NULL;
    here.mpi().Type_create_struct(2, lengths, addresses, types, &both);
    here.mpi().Type_commit(&both);
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(start_broadcast(MPI_BOTTOM, both, one), MPI_SUCCESS);
    EXPECT_EQ(own(here), 1u);
    here.mpi().Type_free(&both);
    EXPECT_EQ(wait(one), MPI_SUCCESS);
    EXPECT_EQ(first, 10);
    EXPECT_EQ(second, 20);
  });
  EXPECT_EQ(fake::remains().datatypes, 0u);
}

TEST_F(RequestTest, look_at_nothing_that_means_nothing_on_their_rank) {
  run_job(size, {.algorithms = "gather:linear;barrier:dissemination", .hooks = true}, [](RankOfJob& here) {
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Datatype gone = fake::make_vector(2, 1, 2, MPI_INT);
    const MPI_Datatype meaningless = gone;
    here.mpi().Type_free(&gone);
    const int number = 5 + here.rank();
    const bool is_root = here.rank() == 0;
    std::array<int, size> all = {};
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Igather)(&number, 1, MPI_INT, is_root ? all.data() : nullptr, is_root ? 1 : -7,
                                          is_root ? MPI_INT : meaningless, 0, MPI_COMM_WORLD, &one),
              MPI_SUCCESS);
    EXPECT_EQ(wait(one), MPI_SUCCESS);
    EXPECT_EQ(here.calls(Collective::gather).own, 1u);
    EXPECT_EQ(all, (is_root ? std::array{5, 6} : std::array{0, 0}));
  });
}

TEST_F(RequestTest, outlive_their_communicator) {
  run([](RankOfJob& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(copy), MPI_SUCCESS);
    int number = 5 - here.rank();
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(start_broadcast(&number, MPI_INT, one, copy), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Comm_free)(&copy), MPI_SUCCESS);
    EXPECT_EQ(wait(one), MPI_SUCCESS);
    EXPECT_EQ(number, 5);
  });
}

TEST_F(RequestTest, with_operations_of_the_application_are_the_native_mpis) {
  run([](RankOfJob& here) {
    const MPI_Op op = fake::make_operation([](void*, void*, int*, MPI_Datatype*) {}, true);
    int mine = 1, all = 0;
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Iallreduce)(&mine, &all, 1, MPI_INT, op, MPI_COMM_WORLD, &one), MPI_SUCCESS);
    EXPECT_EQ(wait(one), MPI_SUCCESS);
    EXPECT_EQ(here.calls(Collective::allreduce).native, 1u);
  });
}

TEST_F(RequestTest, of_wrong_calls_are_the_native_mpis) {
  run([](RankOfJob&) {
    int number = 0;
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(start_broadcast(&number, MPI_DATATYPE_NULL, one), fake::code_of(MPI_ERR_TYPE));
    EXPECT_EQ(start_broadcast(&number, MPI_INT, one, static_cast<MPI_Comm>(0x77777777)), fake::code_of(MPI_ERR_COMM));
    EXPECT_EQ(one, MPI_REQUEST_NULL);
  });
}

TEST_F(RequestTest, cannot_be_cancelled) {
  run([](RankOfJob& here) {
    int number = 5 - here.rank();
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(start_broadcast(&number, MPI_INT, one), MPI_SUCCESS);
    EXPECT_EQ(here.mpi().Cancel(&one), MPI_ERR_REQUEST);
    EXPECT_EQ(wait(one), MPI_SUCCESS);
    EXPECT_EQ(number, 5);
  });
}

TEST_F(RequestTest, say_the_errors_of_their_runs) {
  run([](RankOfJob& here) {
    int numbers[2] = {};
    MPI_Request one = MPI_REQUEST_NULL;
    const int count = here.rank() == 0 ? 2 : 1;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Ibcast)(numbers, count, MPI_INT, 0, MPI_COMM_WORLD, &one), MPI_SUCCESS);
    EXPECT_EQ(wait(one), here.rank() == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    EXPECT_EQ(one, MPI_REQUEST_NULL);
    // The message's, on a communicator of ours; and the run's, on the application's.
    const std::vector<int> expected = {fake::code_of(MPI_ERR_TRUNCATE), MPI_ERR_TRUNCATE};
    EXPECT_EQ(fake::take_raised(), here.rank() == 0 ? std::vector<int>{} : expected);
  });
}

TEST_F(RequestTest, are_not_made_where_the_mpi_cannot_make_them) {
  mpi.Grequest_start = [](MPI_Grequest_query_function*, MPI_Grequest_free_function*, MPI_Grequest_cancel_function*,
                          void*, MPI_Request*) { return fake::code_of(MPI_ERR_NO_MEM); };
  run([](RankOfJob&) {
    int number = 0;
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(start_broadcast(&number, MPI_INT, one), MPI_ERR_NO_MEM);
    EXPECT_EQ(fake::take_raised(), std::vector<int>{MPI_ERR_NO_MEM});
  });
}

TEST_F(RequestTest, are_not_made_where_a_datatype_cannot_be_kept) {
  mpi.Type_contiguous = [](int, MPI_Datatype, MPI_Datatype*) { return fake::code_of(MPI_ERR_NO_MEM); };
  run([](RankOfJob& here) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    fake::functions().Type_contiguous(2, MPI_INT, &pair);
    here.mpi().Type_commit(&pair);
    int numbers[2] = {};
    MPI_Request one = MPI_REQUEST_NULL;
    EXPECT_EQ(start_broadcast(numbers, pair, one), MPI_ERR_NO_MEM);
  });
}

TEST_F(RequestTest, are_not_made_at_tags_where_messages_of_a_failed_call_may_lie) {
  run(
      [](RankOfJob& here) {
        PreparedCommunicator& world = here.communicator();
        world.endpoint().watch.mark_unclean();
        int number = 0;
        MPI_Request one = MPI_REQUEST_NULL;
        int status = MPI_SUCCESS;
        for (int k = 0; k < 8 && status == MPI_SUCCESS; ++k) {
          status = start_broadcast(&number, MPI_INT, one);
          EXPECT_EQ(wait(one), MPI_SUCCESS);
        }
        EXPECT_EQ(status, MPI_ERR_OTHER);
        EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(MPI_COMM_WORLD), MPI_SUCCESS);  // agrees on others
        EXPECT_EQ(start_broadcast(&number, MPI_INT, one), MPI_SUCCESS);
        EXPECT_EQ(wait(one), MPI_SUCCESS);
      },
      fake::few_tags);
}

}  // namespace
}  // namespace espalier::requests_test
