// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/control.hpp"

#include <gtest/gtest.h>

#include "fake/rank_of_job.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

void expect_broadcast() {
  int number = 0;
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Bcast)(&number, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
}

TEST(Control, forces_algorithms_from_the_next_call_on) {
  run_job(2, {}, [](RankOfJob& here) {
    EXPECT_EQ(is_active(), 1);
    for (const char* setting : {"bcast:native", "bcast:chain"}) {
      EXPECT_EQ(force_setting(setting), 0);
      EXPECT_STREQ(last_error(), "");
      for (int k = 0; k < 2; ++k) expect_broadcast();
    }
    unsigned long long own = 0, native = 0;
    EXPECT_EQ(count_calls("bcast", &own, &native), 0);
    EXPECT_EQ(own, 2u);
    EXPECT_EQ(native, 2u);
    EXPECT_EQ(force_setting(nullptr), 0);
    EXPECT_TRUE(here.job().settings.algorithms.empty());
  });
}

TEST(Control, refuses_what_is_no_setting) {
  run_job(2, {}, [](RankOfJob& here) {
    EXPECT_EQ(force_setting("bcast:chain"), 0);
    EXPECT_EQ(force_setting("bcast:magic"), 1);
    EXPECT_NE(std::string_view(last_error()).find("espalier_force(\"bcast:magic\"): bcast has no algorithm 'magic'"),
              std::string_view::npos);
    EXPECT_EQ(here.job().settings.algorithms.size(), 1u);
  });
}

TEST(Control, refuses_what_is_not_the_same_on_all_ranks) {
  run_job(2, {}, [](RankOfJob& here) {
    const std::string mine = here.rank() == 0 ? "bcast:chain" : "bcast:linear";
    EXPECT_EQ(force_setting(mine.c_str()), 1);
    EXPECT_EQ(last_error(), "espalier_force(\"" + mine + "\"): the ranks gave different settings");
  });
}

TEST(Control, does_nothing_outside_of_a_job) {
  run_job(1, {}, [](RankOfJob& here) {
    here.context().active = false;
    EXPECT_EQ(is_active(), 0);
    EXPECT_EQ(force_setting("bcast:chain"), 1);
    EXPECT_STREQ(last_error(), "Espalier is not active");
  });
}

TEST(Control, counts_only_collectives) {
  run_job(1, {}, [](RankOfJob&) {
    for (const char* name : {static_cast<const char*>(nullptr), "sendrecv"}) {
      EXPECT_EQ(count_calls(name, nullptr, nullptr), 1);
      EXPECT_NE(std::string_view(last_error()).find("espalier_calls: "), std::string_view::npos);
    }
    EXPECT_EQ(count_calls("barrier", nullptr, nullptr), 0);
  });
}

}  // namespace
}  // namespace espalier
