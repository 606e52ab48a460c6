// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "fake/fake_mpi.hpp"

namespace espalier::agreement_test {
namespace {

constexpr Rank ranks = 3;

class AgreementTest : public testing::Test {
 protected:
  // What each rank arrives at, on the world; all are able to but one.
  void agree(Rank unable = no_rank) {
    fake::run_ranks(ranks, [&](Rank me) { agreed[me] = agree_on_id(mpi, MPI_COMM_WORLD, pools[me], me != unable); });
  }
  void expect_all_got(std::optional<int> id) const {
    for (const AgreedId& one : agreed) {
      EXPECT_EQ(one.id, id);
      EXPECT_EQ(one.status, MPI_SUCCESS);
    }
  }

  fake::Started started{ranks};
  Native mpi = fake::functions();
  std::array<IdPool, ranks> pools{IdPool(4), IdPool(4), IdPool(4)};
  std::array<AgreedId, ranks> agreed;
};

TEST_F(AgreementTest, gives_all_the_lowest_number_that_is_free_on_all) {
  pools[0].reserve(0);
  pools[2].reserve(1);
  agree();
  expect_all_got(2);
  agree();
  expect_all_got(3);
}

TEST_F(AgreementTest, gives_nobody_a_number_if_none_is_free_on_all) {
  for (int id = 0; id < 4; ++id) pools[id % ranks].reserve(id);
  agree();
  expect_all_got({});
}

TEST_F(AgreementTest, gives_nobody_a_number_if_one_rank_cannot_use_it) {
  agree(1);
  expect_all_got({});
  agree();
  expect_all_got(0);
}

TEST_F(AgreementTest, tells_all_ranks_that_they_come_from_several_occasions) {
  fake::run_ranks(ranks, [&](Rank me) {
    const AgreedId one = agree_on_id(mpi, MPI_COMM_WORLD, pools[me], true, me == 1 ? 5 : 6);
    EXPECT_EQ(one.encounter, Encounter::from_several);
    EXPECT_FALSE(one.id);
  });
  agree();
  expect_all_got(0);
}

TEST_F(AgreementTest, tells_a_call_of_the_application_from_an_agreement) {
  mpi.Allreduce = [](const void*, void* result, int count, MPI_Datatype, MPI_Op, MPI_Comm) {
    std::fill_n(static_cast<std::uint64_t*>(result), count, 7);
    return MPI_SUCCESS;
  };
  EXPECT_EQ(agree_on_id(mpi, MPI_COMM_SELF, pools[0], true).encounter, Encounter::not_even_here);
}

TEST_F(AgreementTest, says_what_the_mpi_said) {
  mpi.Allreduce = [](const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) { return MPI_ERR_OTHER; };
  agree();
  for (const AgreedId& one : agreed) EXPECT_EQ(one.status, MPI_ERR_OTHER);
}

TEST_F(AgreementTest, tries_again_where_threads_hinder_each_other) {
  const MPI_Comm comms[] = {fake::make_communicator({0, 1, 2}), fake::make_communicator({2, 1, 0})};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::array<IdPool, ranks> fresh{IdPool(4), IdPool(4), IdPool(4)};
    std::array<std::array<AgreedId, ranks>, 2> got;
    std::vector<fake::Body> threads;
    for (Rank rank = 0; rank < ranks; ++rank) {
      for (const int k : {0, 1}) {
        threads.push_back({rank, [&, rank, k] { got[k][rank] = agree_on_id(mpi, comms[k], fresh[rank], true); }});
      }
    }
    fake::run_threads_shuffled(threads, seed);
    for (Rank rank = 0; rank < ranks; ++rank) {
      EXPECT_TRUE(got[0][rank].id && got[1][rank].id);
      EXPECT_NE(got[0][rank].id, got[1][rank].id);
      for (int k = 0; k < 2; ++k) EXPECT_EQ(got[k][rank].id, got[k][0].id);
    }
  }
}

TEST_F(AgreementTest, aborts_where_the_turn_is_never_free) {
  ASSERT_TRUE(pools[0].try_take_turn());
  const AgreedId agreed_alone = agree_on_id(mpi, MPI_COMM_SELF, pools[0], true);
  EXPECT_FALSE(agreed_alone.id);
  EXPECT_EQ(agreed_alone.status, MPI_SUCCESS);
}

}  // namespace
}  // namespace espalier::agreement_test
