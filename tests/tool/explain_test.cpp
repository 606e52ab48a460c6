// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tool.hpp"

namespace espalier {
namespace {

nlohmann::json candidate(const nlohmann::json& answer, const std::string& name) {
  for (const auto& one : answer["candidates"]) {
    if (one["algorithm"] == name) return one;
  }
  return {};
}

TEST(Explain, counts_what_each_candidate_does) {
  const auto answer = run_tool("explain allreduce --bytes 1MiB --ranks 8 --json").json();
  EXPECT_EQ(answer["chosen"], "ring");
  EXPECT_EQ(answer["bytes"], 1 << 20);
  const auto ring = candidate(answer, "ring");
  EXPECT_TRUE(ring["chosen"]);
  EXPECT_EQ(ring["parameters"]["segment"], 65536);
  EXPECT_EQ(ring["cost"]["messages"], 8 * 2 * 7 * 2);  // ranks, phases, steps, segments per block
  EXPECT_EQ(ring["cost"]["steps"], 2 * 7 * 2);
  EXPECT_EQ(ring["cost"]["max_sent_bytes"], 2 * 7 * (1 << 17));  // every block but one, twice
  EXPECT_TRUE(candidate(answer, "native")["cost"].is_null());
}

TEST(Explain, obeys_the_settings_of_the_environment) {
  const auto answer = run_tool("explain bcast --bytes 2560 --ranks 4 --root 3 --json",
                               {"ESPALIER_ALGORITHM=bcast:chain,segment=256,window=2"})
                          .json();
  EXPECT_EQ(answer["chosen"], "chain");
  EXPECT_EQ(answer["reason"], "forced");
  EXPECT_EQ(candidate(answer, "chain")["parameters"]["window"], 2);
  EXPECT_EQ(candidate(answer, "chain")["cost"]["messages"], 30);
}

TEST(Explain, says_why_an_algorithm_is_unfit) {
  const auto answer = run_tool("explain reduce --ranks 4 --arithmetic rank_order --json").json();
  EXPECT_EQ(answer["chosen"], "native");
  EXPECT_FALSE(candidate(answer, "binomial")["eligible"]);
  EXPECT_NE(candidate(answer, "binomial")["reason"], "");
  EXPECT_TRUE(candidate(answer, "in_order")["eligible"]);
}

TEST(Explain, says_that_an_algorithm_takes_a_power_of_two_of_ranks) {
  const auto answer = run_tool("explain allreduce --ranks 6 --json").json();
  EXPECT_EQ(candidate(answer, "swing")["reason"], "the number of ranks is no power of two");
  EXPECT_TRUE(candidate(run_tool("explain allreduce --ranks 8 --json").json(), "swing")["eligible"]);
}

TEST(Explain, leaves_the_counts_out_when_a_run_would_be_too_large) {
  const Outcome outcome = run_tool("explain allreduce --bytes 1GiB --ranks 100000 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(candidate(outcome.json(), "ring")["cost"].is_null());
}

const std::string sites_of_3_and_2 = std::string(ESPALIER_STORED_MACHINES) + "/sites-of-3-and-2.toml";

TEST(Explain, takes_two_lanes_over_a_wan_for_as_fast_as_its_nics) {
  for (const int mib : {1, 4, 16, 64, 128}) {
    const auto answer =
        run_tool("explain bcast --bytes " + std::to_string(mib) + "MiB --json --topology " + sites_of_3_and_2,
                 {"ESPALIER_TRANSPORT=mpi"})
            .json();
    EXPECT_EQ(answer["chosen"], "multilane") << mib << " MiB";
    const double seconds = candidate(answer, "multilane")["estimated_seconds"];
    EXPECT_NEAR(seconds / (mib * 1048576 / 2.5e8 + 0.01), 1, 0.04) << mib << " MiB";
    EXPECT_LT(seconds, candidate(answer, "sites_chain")["estimated_seconds"].get<double>()) << mib << " MiB";
  }
}

TEST(Explain, estimates_what_goes_over_libfabric_by_all_nics_of_a_node) {
  const std::string words = "explain bcast --bytes 8MiB --json --mpi mpich --topology " + sites_of_3_and_2;
  const auto answer = run_tool(words).json();
  const auto chosen = candidate(answer, answer["chosen"]);
  EXPECT_EQ(chosen["parameters"]["over"], "fabric");
  const auto by_mpi = run_tool(words, {"ESPALIER_TRANSPORT=mpi"}).json();
  EXPECT_FALSE(candidate(by_mpi, by_mpi["chosen"])["parameters"].contains("over"));
  EXPECT_LT(chosen["estimated_seconds"].get<double>(),
            candidate(by_mpi, by_mpi["chosen"])["estimated_seconds"].get<double>());
}

TEST(Explain, chooses_trees_along_the_links_of_a_torus) {
  for (const char* size : {"64KiB", "1MiB", "16MiB"}) {
    const std::string what = std::string(" --bytes ") + size + " --torus 3x3x3 --json";
    EXPECT_EQ(run_tool("explain bcast" + what).json()["chosen"], "trinaryx6") << size;
    EXPECT_EQ(run_tool("explain reduce" + what).json()["chosen"], "trinaryx6") << size;
    EXPECT_EQ(run_tool("explain allreduce" + what).json()["chosen"], "trinaryx3_fused") << size;
  }
}

TEST(Explain, refuses_what_makes_no_sense) {
  for (const char* arguments :
       {"explain bcast --bytes 64k", "explain bcast --ranks 4 --root 4", "explain allreduce --bytes 7",
        "explain barrier --bytes 8", "explain allreduce --arithmetic fuzzy", "explain bcast --ranks 0"}) {
    EXPECT_EQ(run_tool(arguments).status, 2) << arguments;
  }
}

TEST(Explain, reads_as_a_sentence) {
  const std::string text = run_tool("explain barrier --ranks 4").output;
  EXPECT_TRUE(text.starts_with("barrier among 4 ranks: native (")) << text;
}

TEST(Explain, prints_the_papers_figures_by_its_equations) {
  const std::string machine = " --bytes 1GiB --torus 48x6x32 --rate 3.8667e9 --hop-seconds 1.27e-6 --json";
  const auto bcast = run_tool("explain bcast" + machine, {"ESPALIER_ALGORITHM=bcast:trinaryx3,segment=64KiB"}).json();
  EXPECT_NEAR(candidate(bcast, "trinaryx3")["equations_seconds"].get<double>(), 94.1e-3, .5e-3);
  const auto reduce =
      run_tool("explain reduce" + machine, {"ESPALIER_ALGORITHM=reduce:trinaryx3,segment=48KiB"}).json();
  EXPECT_NEAR(candidate(reduce, "trinaryx3")["equations_seconds"].get<double>(), 193e-3, 1e-3);
}

TEST(Explain, estimates_all_candidates_among_thousands_of_ranks) {
  for (const char* network : {"--torus 48x6x32", "--torus 24x24x16", "--mesh 96x96"}) {
    const auto answer = run_tool("explain allreduce --bytes 8MiB --json " + std::string(network)).json();
    EXPECT_NE(answer["chosen"], "native") << network;
    for (const auto& one : answer["candidates"]) {
      EXPECT_TRUE(!one["eligible"] || !one["estimated_seconds"].is_null()) << network << one["algorithm"];
    }
  }
}

}  // namespace
}  // namespace espalier
