// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/communicators.hpp"

#include <gtest/gtest.h>

#include "fake/rank_of_job.hpp"
#include "mpi/communicators/freeing.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

MPI_Comm copy_of(const Native& mpi, MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  mpi.Comm_dup(comm, &copy);
  return copy;
}

void free_by_entry(MPI_Comm& comm) { EXPECT_EQ(ESPALIER_ENTRY(MPI_Comm_free)(&comm), MPI_SUCCESS); }

// A keyval whose attributes run that when they are deleted. Those of later keyvals go first.
struct OnDelete {
  explicit OnDelete(const Native& mpi, std::function<int(MPI_Comm)> its_work) : work(std::move(its_work)) {
    mpi.Comm_create_keyval(
        nullptr, [](MPI_Comm comm, int, void*, void* extra) { return static_cast<OnDelete*>(extra)->work(comm); },
        &keyval, this);
  }
  std::function<int(MPI_Comm)> work;
  int keyval = MPI_KEYVAL_INVALID;
};

TEST(Communicators, know_what_they_were_asked_for_before) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    EXPECT_EQ(all.find(MPI_COMM_WORLD), nullptr);
    Communicator* const world = all.find_or_add(MPI_COMM_WORLD).communicator;
    ASSERT_NE(world, nullptr);
    EXPECT_EQ(all.find(MPI_COMM_WORLD), world);
    EXPECT_EQ(all.find_or_add(MPI_COMM_WORLD).communicator, world);
    EXPECT_EQ(world->rank(), here.rank());
    EXPECT_EQ(world->size(), 2);
    EXPECT_EQ(world->unusual(), nullptr);
  });
}

TEST(Communicators, do_not_take_a_copy_for_the_original) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    Communicator* const world = all.find_or_add(MPI_COMM_WORLD).communicator;
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    EXPECT_NE(all.find_or_add(copy).communicator, world);
    free_by_entry(copy);
  });
}

// More than the table has room for: what is under way on them is waited for, too, before their numbers are given away.
TEST(Communicators, are_settled_before_they_are_freed_even_if_they_are_not_in_the_table) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    constexpr int more_than_fit = 1100;
    std::vector<MPI_Comm> copies;
    for (int k = 0; k < more_than_fit; ++k) {
      copies.push_back(copy_of(here.mpi(), MPI_COMM_WORLD));
      Communicator* const made = all.find_or_add(copies.back()).communicator;
      EXPECT_EQ(all.find_known(copies.back()), made);
    }
    ASSERT_EQ(all.find(copies.back()), nullptr);
    Communicator& last = *all.find_known(copies.back());
    const FreeIds before = all.ids().free_ids();
    EXPECT_EQ(last.join("barrier"), MPI_SUCCESS);
    if (here.rank() == 0) {
      last.endpoint().notes.expect();
    } else {
      last.endpoint().notes.send(0, {.from = 1});
    }
    free_by_entry(copies.back());
    EXPECT_EQ(all.ids().free_ids(), before);
    copies.pop_back();
    for (MPI_Comm& copy : copies) free_by_entry(copy);
  });
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST(Communicators, say_which_ones_are_unusual) {
  run_job(2, {}, [](RankOfJob& here) {
    const MPI_Comm between = fake::make_intercommunicator({0, 1}, {2, 3});
    EXPECT_STREQ(here.communicator(MPI_COMM_SELF).unusual(), "a single rank");
    EXPECT_STREQ(here.communicator(between).unusual(), "an intercommunicator");
  });
}

TEST(Communicators, forget_those_that_are_freed) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    const MPI_Comm handle = copy;
    here.communicator(copy).counter(Collective::bcast).count_own();
    free_by_entry(copy);
    EXPECT_EQ(copy, MPI_COMM_NULL);
    EXPECT_EQ(all.find(handle), nullptr);
    EXPECT_EQ(all.calls(Collective::bcast).own, 1u);  // of those that are gone, too
    here.mpi().Barrier(MPI_COMM_WORLD);
    MPI_Comm next = copy_of(here.mpi(), MPI_COMM_WORLD);
    ASSERT_EQ(next, handle);  // its handle comes again
    EXPECT_EQ(here.communicator(next).calls(Collective::bcast).own, 0u);
    EXPECT_NE(all.find(next), nullptr);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Comm_disconnect)(&next), MPI_SUCCESS);
    EXPECT_EQ(all.find(handle), nullptr);
  });
}

TEST(Communicators, give_the_numbers_of_those_that_are_freed_to_others) {
  run_job(2, {}, [](RankOfJob& here) {
    const FreeIds before = here.context().communicators.ids().free_ids();
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    EXPECT_EQ(here.communicator(copy).join("barrier"), MPI_SUCCESS);
    EXPECT_NE(here.context().communicators.ids().free_ids(), before);
    free_by_entry(copy);
    EXPECT_EQ(here.context().communicators.ids().free_ids(), before);
  });
}

TEST(Communicators, know_those_that_were_freed_late_by_their_attribute_only) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    const MPI_Comm handle = copy;
    (void)here.communicator(copy);
    here.mpi().Comm_free(&copy);  // by the MPI itself, not in a call of the application's
    EXPECT_EQ(all.find(handle), nullptr);
    here.mpi().Barrier(MPI_COMM_WORLD);
    MPI_Comm next = copy_of(here.mpi(), MPI_COMM_WORLD);
    ASSERT_EQ(next, handle);
    Communicator* const added = all.find_or_add(next).communicator;
    EXPECT_EQ(all.find(next), nullptr);
    EXPECT_EQ(all.find_or_add(next).communicator, added);
    free_by_entry(next);
  });
}

TEST(Communicators, are_unknown_to_the_callbacks_of_their_end) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    int seen = 0;
    const auto look = [&](MPI_Comm comm) {
      ++seen;
      EXPECT_EQ(all.find(comm), nullptr);
      EXPECT_EQ(all.find_or_add(comm).communicator, nullptr);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(comm), MPI_SUCCESS);
      return MPI_SUCCESS;
    };
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    (void)here.communicator(copy);
    OnDelete later(here.mpi(), look);  // its attribute goes before ours
    here.mpi().Comm_set_attr(copy, later.keyval, nullptr);
    free_by_entry(copy);
    EXPECT_EQ(seen, 1);
    EXPECT_EQ(here.calls(Collective::barrier).native, 0u);
  });
}

TEST(Communicators, are_as_before_if_they_could_not_be_freed) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    here.mpi().Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    Communicator* const known = all.find_or_add(copy).communicator;
    bool refuses = true;
    OnDelete stubborn(here.mpi(), [&](MPI_Comm) { return refuses ? MPI_ERR_OTHER : MPI_SUCCESS; });
    here.mpi().Comm_set_attr(copy, stubborn.keyval, nullptr);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Comm_free)(&copy), fake::code_of(MPI_ERR_OTHER));
    EXPECT_EQ(all.find(copy), known);
    refuses = false;
    free_by_entry(copy);
  });
}

TEST(Communicators, are_as_before_if_they_could_not_be_freed_after_our_attribute_had_gone) {
  run_job(2, {}, [](RankOfJob& here) {
    Communicators& all = here.context().communicators;
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    Communicator* const known = all.find_or_add(copy).communicator;
    {
      Freeing freeing(all, copy);
      EXPECT_TRUE(Freeing::detach(copy, known));
      EXPECT_EQ(all.find(copy), nullptr);
    }
    EXPECT_EQ(all.find(copy), known);
    free_by_entry(copy);
  });
}

TEST(Communicators, may_be_freed_while_others_are) {
  run_job(2, {}, [](RankOfJob& here) {
    MPI_Comm outer = copy_of(here.mpi(), MPI_COMM_WORLD);
    MPI_Comm inner = copy_of(here.mpi(), MPI_COMM_WORLD);
    (void)here.communicator(outer);
    (void)here.communicator(inner);
    OnDelete frees_the_other(here.mpi(), [&](MPI_Comm) {
      free_by_entry(inner);
      EXPECT_TRUE(Freeing::is_under_way(outer));
      return MPI_SUCCESS;
    });
    here.mpi().Comm_set_attr(outer, frees_the_other.keyval, nullptr);
    free_by_entry(outer);
    EXPECT_FALSE(Freeing::is_under_way(outer));
  });
}

TEST(Communicators, that_do_not_exist_end_the_job_as_natively) {
  run_job(2, {}, [](RankOfJob&) {
    EXPECT_THROW((void)ESPALIER_ENTRY(MPI_Barrier)(static_cast<MPI_Comm>(0x77777777)), fake::JobEnded);
  });
}

TEST(Communicators, that_do_not_exist_raise_one_error) {
  run_job(2, {}, [](RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    (void)fake::take_raised();
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Barrier)(static_cast<MPI_Comm>(0x77777777)), fake::code_of(MPI_ERR_COMM));
    EXPECT_EQ(fake::take_raised().size(), 1u);
  });
}

TEST(Communicators, are_forgotten_at_the_end) {
  run_job(2, {}, [](RankOfJob& here) {
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    here.communicator(copy).counter(Collective::bcast).count_native();
    here.context().communicators.close();
    EXPECT_EQ(here.context().communicators.find(copy), nullptr);
    EXPECT_EQ(here.calls(Collective::bcast).native, 1u);
    EXPECT_EQ(here.mpi().Comm_free(&copy), MPI_SUCCESS);  // our attribute still hangs there
  });
}

TEST(Communicators, keep_statistics_of_those_that_are_gone) {
  run_job(2, {}, [](RankOfJob& here) {
    MPI_Comm copy = copy_of(here.mpi(), MPI_COMM_WORLD);
    here.communicator(copy).statistics.row({.algorithm = "ring"}).calls = 3;
    free_by_entry(copy);
    here.communicator().statistics.row({.algorithm = "ring"}).calls = 4;
    EXPECT_EQ(here.context().communicators.statistics().row({.algorithm = "ring"}).calls, 7u);
  });
}

}  // namespace
}  // namespace espalier
