// SPDX-License-Identifier: Apache-2.0
// By which tags the messages of persistent requests are distinguished, and what happens where there are none.
#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <numeric>

#include "requests/repeated.hpp"

namespace espalier::persistent_tags_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 2;
constexpr int requests_per_id = 8;

// So that there are this many numbers for blocks of tags.
constexpr int tags_for(int ids) { return requests_per_id * TagLayout::per_call * ids - 1; }

int free_ids(RankOfJob& here) {
  const FreeIds ids = here.context().communicators.ids().free_ids();
  return std::accumulate(ids.begin(), ids.end(), 0,
                         [](int sum, std::uint64_t word) { return sum + std::popcount(word); });
}

class PersistentTagsTest : public testing::Test {
 protected:
  void run(int ids, const std::function<void(RankOfJob&)>& body) const {
    run_job(size, {.native = mpi, .algorithms = own_algorithms, .highest_tag = tags_for(ids), .hooks = true}, body);
    EXPECT_EQ(fake::remains(), fake::Remains{});
  }
  static void expect_round(Repeated& one, int round) {
    one.start(round);
    one.expect_wait();
  }
  Native mpi = fake::functions();
};

TEST_F(PersistentTagsTest, are_agreed_on_again_when_they_are_used_up) {
  run(8, [](RankOfJob& here) {
    EXPECT_EQ(here.communicator().join("barrier"), MPI_SUCCESS);
    const int before = free_ids(here);
    std::deque<Repeated> all;
    for (int k = 0; k < 2 * requests_per_id + 1; ++k) all.emplace_back(here, all_kinds[k % 3]);
    EXPECT_EQ(free_ids(here), before - 3);
    const std::size_t last = all.size() - 1;
    for (int round = 0; round < 3; ++round) {
      for (std::size_t k = 0; k <= last; ++k) all[here.rank() == 0 ? k : last - k].start(round);
      for (Repeated& one : all) one.expect_wait();
    }
    EXPECT_EQ(here.calls(Collective::bcast).own + here.calls(Collective::allreduce).own, 3 * all.size());
  });
}

TEST_F(PersistentTagsTest, are_given_back_with_the_last_request_that_uses_them) {
  run(8, [](RankOfJob& here) {
    EXPECT_EQ(here.communicator().join("barrier"), MPI_SUCCESS);
    const int before = free_ids(here);
    std::deque<Repeated> all;
    for (int k = 0; k < requests_per_id + 1; ++k) all.emplace_back(here, Kind::bcast);
    for (int k = 1; k < requests_per_id; ++k) all.pop_front();
    EXPECT_EQ(free_ids(here), before - 2);
    all.pop_front();
    EXPECT_EQ(free_ids(here), before - 1);
    all.pop_front();
    EXPECT_EQ(free_ids(here), before - 1);  // for those to come
  });
}

TEST_F(PersistentTagsTest, may_be_used_up_for_good) {
  run(2, [](RankOfJob& here) {
    std::deque<Repeated> all;
    for (int k = 0; k < requests_per_id; ++k) all.emplace_back(here, Kind::allreduce);
    Repeated native(here, Kind::allreduce);
    for (Repeated& one : all) expect_round(one, 1);
    expect_round(native, 2);
    EXPECT_EQ(here.calls(Collective::allreduce).own, 8u);
  });
}

TEST_F(PersistentTagsTest, may_be_missing_from_the_beginning) {
  for (const int ids : {0, 1}) {
    run(ids, [](RankOfJob& here) {
      Repeated native(here, Kind::allreduce);
      expect_round(native, 1);
      EXPECT_EQ(here.calls(Collective::allreduce).own, 0u);
    });
  }
}

TEST_F(PersistentTagsTest, can_be_refused_by_the_native_mpi) {
  static int calls_left;
  static const Native good = fake::functions();
  mpi.Allreduce = [](const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return calls_left-- > 0 ? good.Allreduce(mine, all, count, type, op, comm) : fake::code_of(MPI_ERR_OTHER);
  };
  // For the communicator's own tags, and for those of its requests.
  for (const int before_that : {0, 1}) {
    calls_left = before_that * size;
    run(8, [](RankOfJob&) {
      int number = 0;
      MPI_Request request = MPI_REQUEST_NULL;
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast_init)(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
                fake::code_of(MPI_ERR_OTHER));
      EXPECT_EQ(request, MPI_REQUEST_NULL);
    });
  }
}

}  // namespace
}  // namespace espalier::persistent_tags_test
