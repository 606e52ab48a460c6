// SPDX-License-Identifier: Apache-2.0
// The MPI knows of a persistent request of ours only while it has to say itself when it is complete.
#include <gtest/gtest.h>

#include <deque>

#include "requests/repeated.hpp"

namespace espalier::shown_handles_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 2;

class ShownHandlesTest : public testing::Test {
 protected:
  ShownHandlesTest() {
    mpi.Start = [](MPI_Request* request) {
      if (fake::my_rank() == 0) ++native_starts;
      return fake::functions().Start(request);
    };
  }
  void run(const std::function<void(RankOfJob&)>& body) const {
    native_starts = 0;
    run_job(size, {.native = mpi, .algorithms = own_algorithms, .hooks = true}, body);
    EXPECT_EQ(fake::remains(), fake::Remains{});
  }
  static void expect_waitany(Repeated& one) {
    int index = -1;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitany)(1, &one.request, &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(index, 0);
    one.expect_result();
  }
  Native mpi = fake::functions();
  static inline int native_starts = 0;  // on rank 0
};

TEST_F(ShownHandlesTest, are_not_there_as_long_as_each_is_waited_for_or_tested) {
  run([](const RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    for (int round = 0; round < 3; ++round) {
      one.start(round);
      one.expect_wait();
      one.start(round);
      for (int flag = 0; flag == 0;) ESPALIER_ENTRY(MPI_Test)(&one.request, &flag, MPI_STATUS_IGNORE);
      one.expect_result();
      one.start(round);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitall)(1, &one.request, MPI_STATUSES_IGNORE), MPI_SUCCESS);
      one.expect_result();
    }
  });
  EXPECT_EQ(native_starts, 0);
}

TEST_F(ShownHandlesTest, stay_so_until_all_are_known_to_be_complete) {
  run([](const RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    for (int round = 1; round <= 2; ++round) {
      one.start(round);
      expect_waitany(one);
      EXPECT_TRUE(here.rank() != 0 || native_starts == round);
    }
    one.start(3);
    one.expect_wait();
    EXPECT_TRUE(here.rank() != 0 || native_starts == 3);
    for (int round = 4; round < 6; ++round) {
      one.start(round);
      one.expect_wait();
    }
  });
  EXPECT_EQ(native_starts, 3);
}

TEST_F(ShownHandlesTest, are_hidden_again_by_a_wait_for_one_that_is_inactive) {
  run([](const RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    one.start(1);
    expect_waitany(one);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&one.request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    one.start(2);
    one.expect_wait();
  });
  EXPECT_EQ(native_starts, 1);
}

TEST_F(ShownHandlesTest, may_be_freed) {
  run([](const RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    one.start(1);
    expect_waitany(one);
  });
}

// Rank 1 starts only once rank 0 has asked too early.
TEST_F(ShownHandlesTest, are_not_complete_before_all_ranks_have_started) {
  run([](const RankOfJob& here) {
    Repeated one(here, Kind::allreduce);
    int flag = 0, index = 0;
    if (here.rank() == 0) {
      one.start(1);
      const auto is_complete = fake::entry_of<int(MPI_Request)>("MPIX_Request_is_complete");
      EXPECT_EQ(is_complete(one.request), 0);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Test)(&one.request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Testall)(1, &one.request, &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
      EXPECT_EQ(native_starts, 0);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_get_status)(one.request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
      EXPECT_EQ(native_starts, 1);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Testany)(1, &one.request, &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Test)(&one.request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(flag, 0);
    }
    EXPECT_EQ(here.mpi().Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    if (here.rank() == 1) one.start(1);
    expect_waitany(one);
    EXPECT_EQ(fake::entry_of<int(MPI_Request)>("MPIX_Request_is_complete")(one.request), 1);
  });
}

// Threads of one rank wait by functions of their own, each for requests of its own, and advance those of the others.
TEST_F(ShownHandlesTest, are_told_from_their_runs_in_many_threads) {
  mpi.Request_is_complete = nullptr;  // so that threads meet inside a poll
  for (unsigned seed = 0; seed < 30; ++seed) {
    fake::start(size);
    const MPI_Comm traffic = fake::make_communicator({0, 1});
    std::deque<std::optional<RankOfJob>> ranks(size);
    std::deque<std::deque<Repeated>> requests(size);
    int ready = 0, through = 0;
    constexpr int threads = 3;
    const auto first = [&](Rank me) {
      ranks[me].emplace(traffic, fake::JobOptions{.native = mpi, .algorithms = own_algorithms, .hooks = true});
      for (int k = 0; k < threads; ++k) requests[me].emplace_back(*ranks[me], all_kinds[k]);
      ++ready;
    };
    const auto work = [&](Rank me, int thread) {
      if (thread == 0) first(me);
      fake::wait_until([&] { return ready == size; });
      fake::on_resuming([&, me] { context = &ranks[me]->context(); });
      Repeated& mine = requests[me][static_cast<std::size_t>(thread)];
      for (int round = 0; round < 8; ++round) {
        mine.start(round);
        (round + thread) % 3 == 0 ? expect_waitany(mine) : mine.expect_wait();
      }
      mine.free();
      ++through;
      fake::wait_until([&] { return through == threads * size; });
      if (thread == 0) ranks[me].reset();
    };
    std::vector<fake::Body> bodies;
    for (int k = 0; k < threads * size; ++k) bodies.push_back({k % size, [&work, k] { work(k % size, k / size); }});
    fake::run_threads_shuffled(bodies, seed);
    EXPECT_EQ(fake::remains(), fake::Remains{});
  }
}

}  // namespace
}  // namespace espalier::shown_handles_test
