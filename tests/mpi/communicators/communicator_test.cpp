// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/communicator.hpp"

#include <gtest/gtest.h>

#include "fake/rank_of_job.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

// Few tags, so that the numbers of calls begin again soon.
using fake::calls_with_few_tags;
using fake::few_tags;

void make_calls(Communicator& communicator, int calls) {
  for (int k = 0; k < calls; ++k) communicator.begin_call();
}

TEST(Communicator, has_tags_once_its_ranks_agreed) {
  run_job(2, {}, [](RankOfJob& here) {
    PreparedCommunicator& one = here.communicator();
    EXPECT_FALSE(one.has_joined());
    EXPECT_EQ(one.join("barrier"), MPI_SUCCESS);
    EXPECT_TRUE(one.has_joined());
    EXPECT_EQ(one.join("barrier"), MPI_SUCCESS);  // once is enough
    EXPECT_EQ(one.peers().world_ranks[1], 1);
  });
}

TEST(Communicator, has_other_tags_than_others) {
  run_job(2, {}, [](RankOfJob& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    EXPECT_EQ(here.communicator().join("barrier"), MPI_SUCCESS);
    EXPECT_EQ(here.communicator(copy).join("barrier"), MPI_SUCCESS);
    EXPECT_NE(here.communicator().peers().first_tag, here.communicator(copy).peers().first_tag);
  });
}

TEST(Communicator, stays_with_the_native_mpi_if_a_member_is_of_another_world) {
  fake::start(2);
  const MPI_Comm spawned = fake::make_communicator({0, 1, 2});
  const MPI_Comm traffic = fake::make_communicator({0, 1});
  Native mpi = fake::functions();
  mpi.Allreduce = [](const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) {
    ADD_FAILURE() << "rank 2 may know nothing of Espalier";
    return MPI_SUCCESS;
  };
  RankOfJob here(traffic, {.native = mpi});
  EXPECT_EQ(here.communicator(spawned).join("barrier"), MPI_SUCCESS);
  EXPECT_FALSE(here.communicator(spawned).has_joined());
  EXPECT_STREQ(here.communicator(spawned).unusual(), "the communicator holds processes of another MPI_COMM_WORLD");
}

TEST(Communicator, stays_with_the_native_mpi_if_one_rank_cannot_tell_its_members) {
  Native mpi = fake::functions();
  mpi.Group_translate_ranks = [](MPI_Group from, int count, const int* ranks, MPI_Group to, int* translated) {
    const bool fails = fake::my_rank() == 1;
    return fails ? MPI_ERR_OTHER : fake::functions().Group_translate_ranks(from, count, ranks, to, translated);
  };
  run_job(2, {.native = mpi}, [](RankOfJob& here) {
    EXPECT_EQ(here.communicator().join("barrier"), MPI_SUCCESS);
    EXPECT_STREQ(here.communicator().unusual(), "the ranks could not agree on tags for the communicator");
  });
}

TEST(Communicator, says_if_the_ranks_could_not_agree) {
  Native mpi = fake::functions();
  mpi.Allreduce = [](const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) { return MPI_ERR_OTHER; };
  run_job(2, {.native = mpi}, [](RankOfJob& here) {
    EXPECT_EQ(here.communicator().join("barrier"), MPI_ERR_OTHER);
    EXPECT_FALSE(here.communicator().has_joined());
  });
}

TEST(Communicator, gives_its_tags_back_where_the_numbers_of_calls_begin_again_if_nothing_failed) {
  run_job(2, {.highest_tag = few_tags}, [](RankOfJob& here) {
    PreparedCommunicator& one = here.communicator();
    EXPECT_EQ(one.join("barrier"), MPI_SUCCESS);
    const int before = one.peers().first_tag;
    make_calls(one, calls_with_few_tags - 1);
    EXPECT_EQ(one.renew_tags("barrier"), MPI_SUCCESS);
    EXPECT_EQ(one.peers().first_tag, before);
    make_calls(one, 1);
    EXPECT_EQ(one.renew_tags("barrier"), MPI_SUCCESS);
    EXPECT_NE(one.peers().first_tag, before);  // the ranks agree before they give the others back
    make_calls(one, calls_with_few_tags);
    EXPECT_EQ(one.renew_tags("barrier"), MPI_SUCCESS);
    EXPECT_EQ(one.peers().first_tag, before);
  });
}

TEST(Communicator, receives_what_is_under_way_where_its_tags_change) {
  class Listening : public Communicator {
   public:
    using Communicator::Communicator;
    void read(const Note& note) noexcept override { agreed.push_back(note.ordinal); }
    std::vector<std::uint64_t> agreed;
  };
  run_job(2, {.highest_tag = few_tags}, [](RankOfJob& here) {
    Listening one(here.job(), here.context().communicators.ids(),
                  {.handle = MPI_COMM_WORLD, .rank = here.rank(), .size = 2});
    EXPECT_EQ(one.join("barrier"), MPI_SUCCESS);
    make_calls(one, calls_with_few_tags);
    if (here.rank() == 0) {
      one.endpoint().notes.expect();
    } else {
      one.endpoint().notes.send(0, {.from = 1, .ordinal = 7});
    }
    EXPECT_EQ(one.renew_tags("barrier"), MPI_SUCCESS);
    EXPECT_TRUE(one.endpoint().notes.is_quiet());
    EXPECT_EQ(one.agreed, here.rank() == 0 ? std::vector<std::uint64_t>{7} : std::vector<std::uint64_t>{});
  });
}

TEST(Communicator, gets_other_tags_if_a_call_failed_on_some_rank) {
  run_job(2, {.highest_tag = few_tags}, [](RankOfJob& here) {
    PreparedCommunicator& one = here.communicator();
    EXPECT_EQ(one.join("barrier"), MPI_SUCCESS);
    const int before = one.peers().first_tag;
    make_calls(one, calls_with_few_tags);
    if (here.rank() == 1) one.endpoint().watch.mark_unclean();
    EXPECT_EQ(one.renew_tags("barrier"), MPI_SUCCESS);
    EXPECT_NE(one.peers().first_tag, before);
    EXPECT_TRUE(one.endpoint().watch.is_clean());
  });
}

TEST(Communicator, goes_to_the_native_mpi_if_no_other_tags_are_left) {
  run_job(2, {.highest_tag = few_tags}, [](RankOfJob& here) {
    PreparedCommunicator& one = here.communicator();
    EXPECT_EQ(one.join("barrier"), MPI_SUCCESS);
    for (int k = 0; k < 4; ++k) {
      make_calls(one, calls_with_few_tags);
      one.endpoint().watch.mark_unclean();
      EXPECT_EQ(one.renew_tags("barrier"), MPI_SUCCESS);
    }
    EXPECT_FALSE(one.has_joined());
    EXPECT_STREQ(one.unusual(), "the ranks could not agree on tags for the communicator");
  });
}

TEST(Communicator, keeps_a_number_whose_tags_may_still_meet_a_message) {
  run_job(2, {}, [](RankOfJob& here) {
    IdPool& ids = here.context().communicators.ids();
    const FreeIds before = ids.free_ids();
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    EXPECT_EQ(here.communicator(copy).join("barrier"), MPI_SUCCESS);
    here.communicator(copy).endpoint().watch.mark_unclean();
    here.mpi().Comm_free(&copy);
    EXPECT_NE(ids.free_ids(), before);
  });
}

TEST(Communicator, forgets_what_was_prepared_where_the_numbers_of_calls_begin_again) {
  run_job(2, {.highest_tag = few_tags}, [](RankOfJob& here) {
    PreparedCommunicator& one = here.communicator();
    static const Function function{.contract = &contract_of(Collective::barrier)};
    const Call call{.function = &function};
    one.recent.place_of(call, 0).function = call.function;
    make_calls(one, calls_with_few_tags - 1);
    EXPECT_NE(one.recent.place_of(call, 0).function, nullptr);
    make_calls(one, 1);
    EXPECT_EQ(one.recent.place_of(call, 0).function, nullptr);
  });
}

TEST(Communicator, has_places_for_recent_calls_whose_pages_may_come_first) {
  RecentCalls fresh;
  fresh.prefault();
  static const Function function{.contract = &contract_of(Collective::barrier)};
  const Call call{.function = &function};
  EXPECT_EQ(fresh.place_of(call, 0).function, nullptr);
  fresh.place_of(call, 0).function = call.function;
  fresh.prefault();
  EXPECT_EQ(fresh.place_of(call, 0).function, call.function);
}

TEST(Communicator, informs_the_others_of_its_failure_only_if_it_has_tags) {
  run_job(2, {}, [](RankOfJob& here) {
    PreparedCommunicator& one = here.communicator();
    one.announce_failure(MPI_ERR_OTHER);
    EXPECT_EQ(fake::remains().messages, 0u);
    EXPECT_EQ(one.join("barrier"), MPI_SUCCESS);
    make_calls(one, 5);
    if (here.rank() == 0) one.announce_failure(MPI_ERR_OTHER);
    while (here.rank() == 1 && one.endpoint().watch.look(5) == CallState::goes_on) {
    }
  });
}

TEST(Communicator, knows_the_network_if_the_job_knows_its_machine) {
  run_job(2, {}, [](RankOfJob& here) {
    here.job().machine = std::make_unique<const Machine>(
        Machine{.nodes = {{.name = "a", .nics = 2}, {.name = "b", .nics = 2}}, .nic_bytes_per_second = 1e9});
    here.job().node_of = {0, 1};
    here.job().nic_use = NicUse::all;
    const auto placed = [&](MPI_Comm comm) -> PreparedCommunicator& {
      here.communicator(comm).find_place();
      return here.communicator(comm);
    };
    EXPECT_EQ(placed(MPI_COMM_SELF).shape().network, nullptr);
    const MPI_Comm with_strangers = fake::make_communicator({0, 1, 2});
    EXPECT_EQ(placed(with_strangers).shape().network, nullptr);
    PreparedCommunicator& world = placed(MPI_COMM_WORLD);
    ASSERT_NE(world.shape().network, nullptr);
    EXPECT_EQ(world.shape().network->nodes(), 2);
    EXPECT_TRUE(world.peers().acknowledged);
  });
}

}  // namespace
}  // namespace espalier
