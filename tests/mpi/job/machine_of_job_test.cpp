// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/machine_of_job.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "mpi/job/unanimous.hpp"
#include "start/launched.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

Machine two_nodes() { return {.nodes = {{.name = "a"}, {.name = "b"}}, .nic_bytes_per_second = 1e9}; }

MachineDescription description_with(int node) {
  return {.file = "machine.toml",
          .machine = std::make_unique<const Machine>(two_nodes()),
          .host = "here",
          .shown_file = "machine.toml",
          .shown_host = "here",
          .node = node,
          .node_of = std::vector<int>(2, no_node)};
}

// What two ranks say whose descriptions a test changed, and whether they know the machine then.
std::string said_of(const std::function<void(Rank, MachineDescription&)>& change, bool is_known) {
  return said_during([&] {
    run_job(2, {}, [&](RankOfJob& here) {
      MachineDescription mine = description_with(here.rank());
      change(here.rank(), mine);
      EXPECT_EQ(agree_on_machine(here.job(), mine), MPI_SUCCESS);
      EXPECT_EQ(here.job().machine != nullptr, is_known);
      ASSERT_EQ(here.job().node_of.size(), is_known ? 2U : 0U);
      for (std::size_t rank = 0; rank < here.job().node_of.size(); ++rank)
        EXPECT_EQ(here.job().node_of[rank], static_cast<int>(rank));
    });
  });
}

TEST(MachineOfJob, is_known_if_all_ranks_know_the_same) {
  EXPECT_EQ(said_of([](Rank, MachineDescription&) {}, true), "");
}

TEST(MachineOfJob, is_not_known_if_nobody_named_a_file) {
  EXPECT_EQ(said_of([](Rank, MachineDescription& mine) { mine.file.clear(); }, false), "");
}

TEST(MachineOfJob, is_not_known_if_the_files_differ) {
  const std::string said = said_of([](Rank me, MachineDescription& mine) { mine.hash = me == 0 ? 1 : 2; }, false);
  EXPECT_EQ(
      said,
      "espalier: ESPALIER_TOPOLOGY: the nodes have different files machine.toml. Continuing without a topology.\n");
}

TEST(MachineOfJob, is_not_known_if_one_rank_cannot_read_it) {
  const auto spoil = [](Rank me, MachineDescription& mine) {
    if (me == 0) return;
    mine.machine.reset();
    mine.error = "machine.toml: no such file";
  };
  EXPECT_EQ(
      said_of(spoil, false),
      "espalier: ESPALIER_TOPOLOGY: machine.toml: no such file (seen on rank 1). Continuing without a topology.\n");
}

TEST(MachineOfJob, is_not_known_if_one_rank_is_not_there) {
  const auto move_away = [](Rank me, MachineDescription& mine) {
    if (me == 1) mine.node = no_node;
  };
  EXPECT_EQ(times(said_of(move_away, false), "machine.toml has no node 'here', on which rank 1 runs"), 1);
}

TEST(MachineOfJob, says_what_the_mpi_said) {
  Native mpi = fake::functions();
  mpi.Allgather = [](const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm) { return MPI_ERR_OTHER; };
  run_job(2, {.native = mpi}, [](RankOfJob& here) {
    MachineDescription mine = description_with(here.rank());
    EXPECT_EQ(agree_on_machine(here.job(), mine), MPI_ERR_OTHER);
  });
}

TEST(DescriptionOfMachine, says_why_it_cannot_be_read) {
  const MachineDescription none = read_machine_of_job("", 2);
  EXPECT_EQ(none.file, "");
  const MachineDescription missing = read_machine_of_job("/no/such/machine.toml", 2);
  EXPECT_EQ(missing.machine, nullptr);
  EXPECT_NE(missing.error.find("/no/such/machine.toml: "), std::string::npos);
  const std::string path = testing::TempDir() + "espalier_wrong_machine.toml";
  std::ofstream(path) << "nothing = [of the kind";
  const MachineDescription wrong = read_machine_of_job(path, 2);
  EXPECT_EQ(wrong.machine, nullptr);
  EXPECT_NE(wrong.error, "");
  std::remove(path.c_str());
}

TEST(Unanimous, is_what_all_ranks_did_well) {
  run_job(3, {}, [](RankOfJob& here) {
    std::vector<std::string> complaints;
    const auto do_everywhere = [&](const std::function<int()>& work) {
      return succeeds_everywhere(here.mpi(), MPI_COMM_WORLD, work,
                                 [&](const char* what) { complaints.push_back(what); });
    };
    EXPECT_TRUE(do_everywhere([] { return MPI_SUCCESS; }));
    EXPECT_FALSE(do_everywhere([&] { return here.rank() == 1 ? MPI_ERR_OTHER : MPI_SUCCESS; }));
    EXPECT_FALSE(do_everywhere([&]() -> int {
      if (here.rank() == 1) throw std::runtime_error("tired");
      return MPI_SUCCESS;
    }));
    EXPECT_EQ(complaints,
              here.rank() == 1 ? (std::vector<std::string>{"the MPI failed", "tired"}) : std::vector<std::string>());
  });
}

}  // namespace
}  // namespace espalier
