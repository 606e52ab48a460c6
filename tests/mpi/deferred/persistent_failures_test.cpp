// SPDX-License-Identifier: Apache-2.0
// Wrong use of persistent requests, and runs that go wrong. (MPI standard 4.1, sections 3.9 and 6.13.)
#include <gtest/gtest.h>

#include "requests/repeated.hpp"

namespace espalier::persistent_failures_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 2;
constexpr Rank culprit = 0;  // receives what rank 1 broadcasts

class PersistentFailureTest : public testing::Test {
 protected:
  void run(const std::function<void(RankOfJob&)>& body) const {
    run_job(size, {.native = mpi, .algorithms = own_algorithms, .hooks = true}, [&](RankOfJob& here) {
      here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      body(here);
      here.mpi().Barrier(MPI_COMM_WORLD);
    });
    is_broken = false;
    EXPECT_EQ(fake::remains().requests, 0u);
  }
  static int start(Repeated& one) { return ESPALIER_ENTRY(MPI_Start)(&one.request); }
  static int wait(Repeated& one) { return ESPALIER_ENTRY(MPI_Wait)(&one.request, MPI_STATUS_IGNORE); }
  static int class_of(int code) {
    int its_class = MPI_SUCCESS;
    fake::functions().Error_class(code, &its_class);
    return its_class;
  }
  void break_receives() {
    mpi.Irecv = [](void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
      const bool fails = is_broken && fake::my_rank() == culprit;
      return fails ? fake::code_of(MPI_ERR_OTHER)
                   : fake::functions().Irecv(buffer, count, type, from, tag, comm, request);
    };
  }

  Native mpi = fake::functions();
  static inline bool is_broken = false;  // the culprit's MPI, while this is so
};

TEST_F(PersistentFailureTest, an_active_one_cannot_be_started) {
  run([](RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    for (const bool is_over : {false, true}) {
      one.start(1);
      if (is_over) here.mpi().Barrier(MPI_COMM_WORLD);
      (void)fake::take_raised();
      EXPECT_EQ(class_of(start(one)), MPI_ERR_REQUEST);
      EXPECT_EQ(fake::take_raised(), std::vector<int>{fake::code_of(MPI_ERR_REQUEST)});
      one.expect_wait();
    }
    one.start(2);
    one.expect_wait();
  });
}

TEST_F(PersistentFailureTest, cannot_be_cancelled) {
  run([](RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    one.start(1);
    int index = 0, flag = 0;
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(class_of(ESPALIER_ENTRY(MPI_Cancel)(&one.request)), MPI_ERR_REQUEST);
      // From now on the MPI waits for its message.
      if (flag == 0) ESPALIER_ENTRY(MPI_Testany)(1, &one.request, &index, &flag, MPI_STATUS_IGNORE);
    }
    one.expect_wait();
    MPI_Request native = MPI_REQUEST_NULL;
    int number = 0;
    here.mpi().Irecv(&number, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, &native);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Cancel)(&native), MPI_SUCCESS);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&native, MPI_STATUS_IGNORE), MPI_SUCCESS);
  });
}

TEST_F(PersistentFailureTest, one_that_is_freed_while_it_is_under_way_comes_to_its_end) {
  run([](RankOfJob& here) {
    Repeated one(here, Kind::bcast);
    Repeated other(here, Kind::allreduce);
    one.start(1);
    other.start(1);
    one.free();
    other.expect_wait();
    here.mpi().Barrier(MPI_COMM_WORLD);
    one.expect_result();
  });
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST_F(PersistentFailureTest, a_failed_run_fails_its_completion_and_all_later_ones) {
  break_receives();
  run([](RankOfJob& here) {
    Repeated one(here, Kind::bcast);
    const int expected = here.rank() == culprit ? MPI_ERR_OTHER : MPI_SUCCESS;
    for (int round = 0; round < 4; ++round) {
      is_broken = round == 1;
      one.fill(round);
      EXPECT_EQ(start(one), MPI_SUCCESS);
      EXPECT_EQ(class_of(wait(one)), round == 0 ? MPI_SUCCESS : expected);
      here.mpi().Barrier(MPI_COMM_WORLD);
    }
    Repeated another(here, Kind::bcast);
    another.start(1);
    another.expect_wait();
  });
}

TEST_F(PersistentFailureTest, a_failure_shows_however_it_is_asked_for) {
  break_receives();
  run([](RankOfJob& here) {
    is_broken = true;
    Repeated one(here, Kind::bcast);
    const int expected = here.rank() == culprit ? MPI_ERR_OTHER : MPI_SUCCESS;
    int index = 0, count = 0;
    MPI_Status status{};
    const auto expect = [&](int code, int its_class) { EXPECT_EQ(class_of(code), expected == 0 ? 0 : its_class); };
    EXPECT_EQ(start(one), MPI_SUCCESS);
    expect(ESPALIER_ENTRY(MPI_Waitany)(1, &one.request, &index, &status), MPI_ERR_TRUNCATE);
    EXPECT_EQ(start(one), MPI_SUCCESS);
    expect(ESPALIER_ENTRY(MPI_Waitall)(1, &one.request, &status), MPI_ERR_IN_STATUS);
    EXPECT_EQ(class_of(status.MPI_ERROR), expected);
    EXPECT_EQ(start(one), MPI_SUCCESS);
    expect(ESPALIER_ENTRY(MPI_Waitsome)(1, &one.request, &count, &index, &status), MPI_ERR_IN_STATUS);
    for (const bool by_all : {false, true}) {
      EXPECT_EQ(start(one), MPI_SUCCESS);
      int code = MPI_SUCCESS;
      for (int flag = 0; flag == 0;) {
        code = by_all ? ESPALIER_ENTRY(MPI_Testall)(1, &one.request, &flag, &status)
                      : ESPALIER_ENTRY(MPI_Test)(&one.request, &flag, &status);
      }
      expect(code, by_all ? MPI_ERR_IN_STATUS : MPI_ERR_TRUNCATE);
    }
  });
}

TEST_F(PersistentFailureTest, tags_where_messages_may_lie_are_not_given_out_again) {
  break_receives();
  run([](RankOfJob& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    const IdPool& ids = here.context().communicators.ids();
    const FreeIds before = ids.free_ids();
    for (const bool fails : {false, true}) {
      Repeated one(here, Kind::bcast, 3, copy);
      is_broken = fails;
      EXPECT_EQ(start(one), MPI_SUCCESS);
      (void)wait(one);
      here.mpi().Barrier(MPI_COMM_WORLD);
    }
    ESPALIER_ENTRY(MPI_Comm_free)(&copy);
    EXPECT_EQ(ids.free_ids() == before, here.rank() != culprit);
  });
}

TEST_F(PersistentFailureTest, a_message_that_does_not_fit_is_an_error) {
  run([](RankOfJob& here) {
    Repeated one(here, Kind::bcast, here.rank() == culprit ? 2 : 3);
    EXPECT_EQ(start(one), MPI_SUCCESS);
    EXPECT_EQ(class_of(wait(one)), here.rank() == culprit ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
  });
}

TEST_F(PersistentFailureTest, an_error_is_handed_to_the_applications_handler_once) {
  break_receives();
  run([](RankOfJob& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    std::vector<MPI_Comm> handled;
    const MPI_Errhandler handler = fake::make_handler([&](MPI_Comm comm, int) { handled.push_back(comm); });
    for (const MPI_Comm comm : {MPI_COMM_WORLD, copy}) here.mpi().Comm_set_errhandler(comm, handler);
    Repeated one(here, Kind::bcast, 3, copy);
    is_broken = true;
    one.start(1);
    (void)wait(one);
    std::vector<MPI_Comm> expected;
    if (here.rank() == culprit) expected = {copy};
    EXPECT_EQ(handled, expected);
    if (here.rank() == culprit) expected = {copy, MPI_COMM_WORLD};
    ESPALIER_ENTRY(MPI_Comm_free)(&copy);
    one.start(2);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitall)(1, &one.request, MPI_STATUSES_IGNORE) != MPI_SUCCESS, !expected.empty());
    EXPECT_EQ(handled, expected);
    here.mpi().Barrier(MPI_COMM_WORLD);
  });
}

TEST_F(PersistentFailureTest, is_not_made_where_the_mpi_cannot_make_it) {
  mpi.Recv_init = [](void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) { return MPI_ERR_NO_MEM; };
  mpi.Type_contiguous = [](int, MPI_Datatype, MPI_Datatype*) { return fake::code_of(MPI_ERR_NO_MEM); };
  run([](RankOfJob& here) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    fake::functions().Type_contiguous(2, MPI_INT, &pair);
    here.mpi().Type_commit(&pair);
    int numbers[2] = {};
    MPI_Request one = MPI_REQUEST_NULL;
    for (const MPI_Datatype type : {MPI_INT, pair}) {
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast_init)(numbers, 1, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &one),
                MPI_ERR_NO_MEM);
      EXPECT_EQ(fake::take_raised(), std::vector<int>{MPI_ERR_NO_MEM});
    }
    EXPECT_EQ(one, MPI_REQUEST_NULL);
    here.mpi().Type_free(&pair);
  });
}

}  // namespace
}  // namespace espalier::persistent_failures_test
