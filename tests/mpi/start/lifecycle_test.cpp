// SPDX-License-Identifier: Apache-2.0
// Start and end of a job: all ranks become active together, or none does.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "start/launched.hpp"

namespace espalier::lifecycle_test {
namespace {

constexpr Rank size = 3;

int add_ranks(const Context& here) {
  int sum = 0;
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Allreduce)(&here.job.world_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
            MPI_SUCCESS);
  return sum;
}

// Not one of the ranks became active, and calls are the native MPI's.
void expect_idle(const Context& here) {
  EXPECT_FALSE(here.active);
  EXPECT_EQ(add_ranks(here), 3);
}
std::string said_by_idle_job() { return said_by_job(size, fake::functions(), expect_idle); }

TEST(Lifecycle, begins_with_init_and_ends_with_finalize) {
  const Variables set{{"ESPALIER_ALGORITHM", "allreduce:ring"}};
  const std::string said = said_by_job(size, fake::functions(), [](Context& here) {
    EXPECT_TRUE(here.active);
    EXPECT_EQ(here.job.world_size, size);
    EXPECT_EQ(add_ranks(here), 3);
    EXPECT_EQ(here.communicators.calls(Collective::allreduce).own, 1u);
  });
  EXPECT_EQ(said, "");
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST(Lifecycle, may_begin_with_threads) {
  launch(1, fake::functions(), [](Context& here) {
    int provided = 0;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Init_thread)(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
    EXPECT_EQ(provided, MPI_THREAD_MULTIPLE);
    EXPECT_TRUE(here.active);
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Finalize)(), MPI_SUCCESS);
  });
}

TEST(Lifecycle, ends_also_where_finalize_is_not_called_through_us) {
  launch(size, fake::functions(), [](Context& here) {
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Init)(nullptr, nullptr), MPI_SUCCESS);
    EXPECT_TRUE(here.active);
    EXPECT_EQ(here.job.mpi.Finalize(), MPI_SUCCESS);
    EXPECT_FALSE(here.active);
  });
}

TEST(Lifecycle, does_not_begin_where_the_mpi_does_not) {
  Native mpi = fake::functions();
  mpi.Init = [](int*, char***) { return MPI_ERR_OTHER; };
  launch(size, mpi, [](Context& here) {
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Init)(nullptr, nullptr), MPI_ERR_OTHER);
    EXPECT_FALSE(here.active);
  });
}

TEST(Lifecycle, is_idle_if_switched_off) {
  const Variables set{{"ESPALIER", "off"}};
  EXPECT_EQ(said_by_idle_job(), "");
}

TEST(Lifecycle, is_idle_if_a_setting_is_wrong) {
  const Variables set{{"ESPALIER_ALGORITHM", "allreduce:magic"}};
  const std::string said = said_by_idle_job();
  EXPECT_EQ(times(said, "allreduce has no algorithm 'magic'"), 1);  // by one rank
  EXPECT_EQ(times(said, "Disabled on all ranks."), 1);
}

TEST(Lifecycle, is_idle_if_the_ranks_have_different_settings) {
  const Variables set{{"ESPALIER_CACHE", "8"}};
  const auto have_its_own = [](Rank me) { setenv("ESPALIER_CACHE", me == 1 ? "7" : "8", 1); };
  const std::string said = said_by_job(size, fake::functions(), expect_idle, have_its_own);
  EXPECT_EQ(times(said, "ESPALIER settings or builds differ between ranks"), 1);
}

TEST(Lifecycle, is_idle_if_one_rank_cannot_begin) {
  Native mpi = fake::functions();
  mpi.Type_create_keyval = [](MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* on_delete, int* keyval,
                              void* extra) {
    const bool fails = fake::my_rank() == 2;
    return fails ? MPI_ERR_NO_MEM : fake::functions().Type_create_keyval(copy, on_delete, keyval, extra);
  };
  EXPECT_EQ(said_by_job(size, mpi, expect_idle),
            "espalier: rank 2: startup failed: the MPI failed. Disabled on all ranks.\n");
}

TEST(Lifecycle, is_described_if_asked) {
  const Variables set{{"ESPALIER_VERBOSE", "1"}, {"ESPALIER_CACHE", "7"}};
  const std::string said = said_by_job(size, fake::functions(), [](Context&) {});
  EXPECT_EQ(times(said, "with Fake MPI 1.0 on 3 ranks;"), 1) << said;
  EXPECT_EQ(times(said, " ESPALIER_CACHE=7"), 1);
}

class ReportTest : public testing::Test {
 protected:
  ~ReportTest() override { std::filesystem::remove(path); }
  [[nodiscard]] std::string written() const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  const std::string path = testing::TempDir() + "espalier_lifecycle_report.json";
};

TEST_F(ReportTest, is_written_at_the_end) {
  const Variables set{{"ESPALIER_ALGORITHM", "allreduce:ring"}, {"ESPALIER_REPORT", path}};
  std::filesystem::remove(path);
  EXPECT_EQ(said_by_job(size, fake::functions(), [](Context& here) { add_ranks(here); }), "");
  const std::string text = written();
  EXPECT_NE(text.find("\"mpi\": \"Fake MPI 1.0\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"algorithm\": \"ring\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"calls\": 3"), std::string::npos) << text;
  EXPECT_NE(text.find("\"wall_seconds\": "), std::string::npos) << text;
}

TEST_F(ReportTest, is_missed_aloud_if_it_cannot_be_written) {
  const Variables set{{"ESPALIER_REPORT", "/no/such/folder/report.json"}};
  const std::string said = said_by_job(size, fake::functions(), [](Context&) {});
  EXPECT_EQ(times(said, "the report could not be written there"), 1);
}

TEST_F(ReportTest, is_missed_aloud_if_it_cannot_be_collected) {
  Native mpi = fake::functions();
  mpi.Gather = [](const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_ERR_OTHER; };
  const Variables set{{"ESPALIER_REPORT", path}};
  const std::string said = said_by_job(size, mpi, [](Context&) {});
  EXPECT_EQ(times(said, "no report: the MPI failed"), size);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace espalier::lifecycle_test
