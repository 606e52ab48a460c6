// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/call_watch.hpp"

#include <gtest/gtest.h>

#include "fake/fake_mpi.hpp"
#include "transport/mpi/mpi_endpoint.hpp"
#include "transport/peers_of.hpp"

namespace espalier {
namespace {

class CallWatchTest : public testing::Test {
 protected:
  [[nodiscard]] MpiPeers peers_of(Rank me) const {
    MpiPeers peers = espalier::peers_of(mpi, me, ranks);
    peers.fault_tolerant = fault_tolerant;
    return peers;
  }
  // What rank 0 announces comes to the others.
  void run(const std::function<void(CallWatch&)>& announcer, const std::function<void(CallWatch&)>& other) {
    fake::run_ranks(ranks, [&](Rank me) {
      MpiEndpoint endpoint(peers_of(me));
      (me == 0 ? announcer : other)(endpoint.watch);
    });
  }
  // As many times as it takes to ask all ranks.
  static CallState look(CallWatch& watch, std::uint64_t call) {
    CallState state = CallState::goes_on;
    for (int k = 0; k < 3 && state == CallState::goes_on; ++k) state = watch.look(call);
    return state;
  }

  static constexpr Rank ranks = 20;  // more than are asked at one look
  fake::Started started{ranks};
  Native mpi = fake::functions();
  bool fault_tolerant = false;
};

TEST_F(CallWatchTest, informs_all_others_of_a_failure) {
  run([](CallWatch& watch) { watch.announce(5, MPI_ERR_OP); },
      [](CallWatch& watch) {
        EXPECT_EQ(look(watch, 4), CallState::goes_on);
        EXPECT_EQ(look(watch, 5), CallState::failed_elsewhere);
        EXPECT_EQ(watch.error(), MPI_ERR_OP);
        EXPECT_EQ(look(watch, 5), CallState::failed_elsewhere);  // it is not forgotten
        EXPECT_TRUE(watch.is_clean());
      });
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST_F(CallWatchTest, marks_the_rank_that_failed_as_unclean) {
  run(
      [](CallWatch& watch) {
        watch.announce(0, MPI_ERR_OP);
        EXPECT_FALSE(watch.is_clean());
        watch.mark_clean();
        EXPECT_TRUE(watch.is_clean());
      },
      [](CallWatch&) {});
}

TEST_F(CallWatchTest, forgets_calls_that_are_over) {
  run(
      [](CallWatch& watch) {
        watch.announce(2, MPI_ERR_OP);
        watch.announce(7, MPI_ERR_TYPE);
      },
      [](CallWatch& watch) {
        watch.forget_before(3);
        EXPECT_EQ(look(watch, 2), CallState::goes_on);
        EXPECT_EQ(look(watch, 7), CallState::failed_elsewhere);
        EXPECT_EQ(watch.error(), MPI_ERR_TYPE);
        watch.forget_before(8);
        EXPECT_EQ(look(watch, 7), CallState::goes_on);
      });
}

TEST_F(CallWatchTest, keeps_notices_that_do_not_leave_until_they_do) {
  mpi.Isend = mpi.Issend;
  run(
      [](CallWatch& watch) {
        watch.announce(1, MPI_ERR_OP);
        EXPECT_GT(fake::remains().requests, 0u);
        for (int k = 0; k < 200 && fake::remains().requests > 0; ++k) (void)watch.look(1);
      },
      [](CallWatch& watch) { EXPECT_EQ(look(watch, 1), CallState::failed_elsewhere); });
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST_F(CallWatchTest, asks_a_fault_tolerant_mpi_whether_it_still_works) {
  fault_tolerant = true;
  static int revoked = 0, dead = 0;
  revoked = dead = 0;
  mpi.Comm_is_revoked = [](MPI_Comm, int* answer) { return *answer = revoked, MPI_SUCCESS; };
  mpi.Comm_get_failed = [](MPI_Comm, MPI_Group* group) {
    *group = 1;
    return dead < 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
  };
  mpi.Group_size = [](MPI_Group, int* size) { return *size = dead, MPI_SUCCESS; };
  mpi.Group_free = [](MPI_Group*) { return MPI_SUCCESS; };
  MpiEndpoint endpoint(peers_of(0));
  EXPECT_EQ(look(endpoint.watch, 0), CallState::goes_on);
  revoked = 1;
  EXPECT_EQ(look(endpoint.watch, 0), CallState::broken);
  revoked = 0, dead = 1;
  EXPECT_EQ(look(endpoint.watch, 0), CallState::broken);
  dead = -1;
  EXPECT_EQ(look(endpoint.watch, 0), CallState::goes_on);
}

TEST_F(CallWatchTest, does_not_ask_any_other_mpi) {
  MpiEndpoint endpoint(peers_of(0));
  EXPECT_FALSE(endpoint.watch.is_broken());
}

}  // namespace
}  // namespace espalier
