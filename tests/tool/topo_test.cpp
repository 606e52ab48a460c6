// SPDX-License-Identifier: Apache-2.0
// Machines that are stored as files, with what they are taken for next to them: NAME.toml, NAME.conf or NAME.yaml
// (Slurm's) or NAME.xml (a node, from hwloc), and NAME.txt.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "tool.hpp"

namespace espalier {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The option that shows what is in a file with this ending; empty for what is no machine.
std::string option_for(const std::string& ending) {
  if (ending == ".toml" || ending == ".conf" || ending == ".yaml") return "--topology ";
  return ending == ".xml" ? "--hwloc " : "";
}

TEST(Topo, takes_every_stored_machine_for_what_is_stored_next_to_it) {
  std::map<std::string, int> machines;
  for (const auto& entry : std::filesystem::directory_iterator(ESPALIER_STORED_MACHINES)) {
    const std::string option = option_for(entry.path().extension());
    if (option.empty()) continue;
    ++machines[entry.path().extension()];
    const Outcome outcome = run_tool("topo " + option + entry.path().string());
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, text_of(std::filesystem::path(entry.path()).replace_extension(".txt"))) << entry.path();
  }
  EXPECT_GE(machines[".toml"], 12);
  EXPECT_GE(machines[".conf"], 14);
  EXPECT_GE(machines[".yaml"], 8);
  EXPECT_GE(machines[".xml"], 3);
}

TEST(Topo, names_every_node_with_its_place) {
  const auto answer = run_tool("topo --json --torus 3x4").json();
  ASSERT_EQ(answer["nodes"].size(), 12u);
  EXPECT_EQ(answer["nodes"][5]["place"], (std::vector<int>{2, 1}));
  EXPECT_EQ(answer["trees"]["trinaryx6"], 4);
}

TEST(Topo, refuses_what_is_no_machine) {
  EXPECT_EQ(run_tool("topo").status, 2);
  EXPECT_EQ(run_tool("topo --torus 3x").status, 2);
  EXPECT_NE(run_tool("topo --topology /nowhere").errors.find("cannot be read"), std::string::npos);
}

TEST(Topo, sends_no_control_character_of_a_file_to_the_terminal) {
  const std::string stem = testing::TempDir() + "espalier_machine_" + std::to_string(::getpid());
  std::ofstream(stem + ".toml") << "[rails]\nrate = 1e9\nnodes = [\"a\\u001b[2J\\nb\", \"c\\u009b\\u007f\"]\n";
  std::ofstream(stem + ".conf") << "SwitchName=s0 Nodes=a\x1b[1-2],b\xff\n";
  std::ofstream(stem + ".hosts") << "b\x1b]0;title\x07\n";
  const std::string topo = "topo --topology " + stem, hosts = " --ranks " + stem + ".hosts";
  for (const std::string& words :
       {topo + ".toml", topo + ".toml --json", topo + ".toml" + hosts, topo + ".conf", topo + ".conf --json"}) {
    const Outcome outcome = run_tool(words);
    for (const unsigned char letter : outcome.output + outcome.errors) {
      EXPECT_TRUE((letter >= ' ' && letter < 127) || letter == '\n') << words << ": " << int{letter};
    }
  }
  EXPECT_NE(run_tool(topo + ".toml" + hosts).errors.find("no node 'b\\x1b]0;title\\x07'"), std::string::npos);
  EXPECT_EQ(run_tool(topo + ".toml --json").json()["nodes"][0]["name"], "a\x1b[2J\nb");
  for (const char* ending : {".toml", ".conf", ".hosts"}) std::filesystem::remove(stem + ending);
}

TEST(Topo, never_waits_for_a_device) {
  for (const char* option : {"topo --topology", "topo --hwloc", "topo --torus 3x3 --ranks"}) {
    const Outcome outcome = run_tool(std::string(option) + " /dev/zero");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.errors.find("allowed: a regular file"), std::string::npos);
  }
}

// A hostfile that is gone when the test is over.
class HostFile {
 public:
  explicit HostFile(const std::string& text) { std::ofstream(path_) << text; }
  ~HostFile() { std::filesystem::remove(path_); }
  HostFile(const HostFile&) = delete;
  HostFile& operator=(const HostFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "espalier_hosts_" + std::to_string(::getpid());
};

TEST(TopoRanks, say_who_sits_where_and_what_the_nodes_are_together) {
  const HostFile hosts("n0:2\nn1:2\nn2 slots=2\nn0:1\n");
  EXPECT_EQ(run_tool("topo --torus 3x4 --ranks " + hosts.path()).output,
            "torus 3x4: 12 nodes\n"
            "24 links of 1000 MB/s or more, in each direction; 4 links at each node\n"
            "trinaryx3: 2 trees that share no link\n"
            "trinaryx6: 4 trees that share no link\n"
            "  height: 6\n"
            "packed: 4 trees that share no link\n"
            "  height: 6\n"
            "\n"
            "7 ranks on 3 nodes: a whole ring of 3\n"
            "trinaryx3: 1 tree\n"
            "trinaryx6: 2 trees that share no link\n"
            "  height: 2\n"
            "packed: 2 trees that share no link\n"
            "  height: 2\n"
            "\n"
            "node  place  ranks\n"
            "n0    [0,0]  0-1,6\n"
            "n1    [1,0]  2-3\n"
            "n2    [2,0]  4-5\n");
}

TEST(TopoRanks, are_read_in_files_of_other_systems) {
  const HostFile hosts("\xef\xbb\xbfn0 cpu=2\r\nn1 count=1 max-slots=4 # one\r\n");
  EXPECT_NE(run_tool("topo --torus 3x4 --ranks " + hosts.path()).output.find("n0    [0,0]  0-1\nn1    [1,0]  2\n"),
            std::string::npos);
}

TEST(TopoRanks, know_tori_planes_boxes_and_what_is_neither) {
  const auto shape_of = [](const std::string& network, const std::string& text) {
    const HostFile hosts(text);
    return run_tool("topo --json " + network + " --ranks " + hosts.path()).json()["job"]["shape"];
  };
  const std::string plane = "n0\nn1\nn2\nn3\nn4\nn5\nn6\nn7\nn8\n";
  EXPECT_EQ(shape_of("--torus 3x3x3", plane), "a whole plane, torus 3x3");
  EXPECT_EQ(shape_of("--torus 3x3", plane), "the whole torus 3x3");
  EXPECT_EQ(shape_of("--mesh 3x3", plane), "the whole mesh 3x3");
  EXPECT_EQ(shape_of("--torus 4x4", "n0\nn1\nn4\nn5\n"), "a box of 2x2");
  EXPECT_EQ(shape_of("--torus 4x4", "n3\nn0\n"), "a line of 2");
  EXPECT_EQ(shape_of("--torus 4x4", "n5\n"), "a single place");
  EXPECT_TRUE(shape_of("--torus 4x4", "n0\nn1\nn4\n").is_null());
}

TEST(TopoRanks, are_counted_by_site_where_nodes_are_on_switches) {
  const HostFile hosts("tux3:2\ntux0\ntux15\n");
  const std::string words = "topo --topology " ESPALIER_STORED_MACHINES "/slurm-tree.conf --ranks " + hosts.path();
  EXPECT_NE(run_tool(words).output.find("4 ranks on 3 nodes of 2 sites\n\nnode   place   ranks\ntux3   site 0  0-1\n"),
            std::string::npos);
  EXPECT_EQ(run_tool(words + " --json").json()["job"]["nodes"][2]["ranks"], std::vector<int>{3});
}

TEST(TopoRanks, fit_80_columns_and_stop_after_forty_nodes) {
  std::string text;
  for (int node = 0; node < 50; ++node) text += "n" + std::to_string(node) + ":1\n";
  const HostFile hosts(text + text + text + text + text + text + text + text + text + text);
  const std::string words = "topo --torus 10x10 --ranks " + hosts.path();
  const std::string output = run_tool(words).output;
  EXPECT_NE(output.find("n39   [9,3]"), std::string::npos);
  EXPECT_EQ(output.find("n40   [0,4]"), std::string::npos);
  EXPECT_NE(output.find("\n... and 10 nodes more; --json prints them all\n"), std::string::npos);
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_EQ(run_tool(words + " --json").json()["job"]["nodes"].size(), 50u);
}

TEST(TopoRanks, refuse_a_host_that_the_machine_does_not_have) {
  const HostFile hosts("n0\nn99 slots=2\n");
  const Outcome outcome = run_tool("topo --torus 3x3 --ranks " + hosts.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find(hosts.path() + ":2: the machine has no node 'n99'; allowed: "), std::string::npos);
  EXPECT_EQ(run_tool("topo --torus 3x3 --ranks /nowhere").status, 2);
}

TEST(TopoNode, shows_this_node_and_another_ones_export) {
  EXPECT_GE(run_tool("topo --node --json").json()["processing_units"], 1);
  EXPECT_NE(run_tool("topo --node").output.find("processing unit"), std::string::npos);
  const auto answer =
      run_tool("topo --json --hwloc " ESPALIER_STORED_MACHINES "/hwloc-nics-on-both-packages.xml").json();
  EXPECT_EQ(answer["nic_devices"], 4);
  EXPECT_EQ(answer["nics"][2]["name"], "mlx5_0");
  EXPECT_EQ(answer["nics"][2]["numa_node"], 0);
  EXPECT_TRUE(answer["nics"][2]["bytes_per_second"].is_null());
}

TEST(TopoNode, is_not_mistaken_for_a_machine) {
  const std::string file = ESPALIER_STORED_MACHINES "/hwloc-one-core.xml";
  EXPECT_EQ(run_tool("topo --topology " + file).status, 2);
  EXPECT_EQ(run_tool("topo --node --hwloc " + file).status, 2);
  EXPECT_EQ(run_tool("topo --node --torus 3x3").status, 2);
  EXPECT_EQ(run_tool("topo --hwloc " ESPALIER_STORED_MACHINES "/ring.toml").status, 2);
}

TEST(Draw, shows_trees_on_their_lattice) {
  const Outcome outcome = run_tool("draw trinaryx3 --torus 3x3x3 --format svg");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* words : {">bcast trinaryx3<", ">Tree 3<", ">Link load: at most 0.333<"}) {
    EXPECT_NE(outcome.output.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(outcome.output.find(">Tree 4<"), std::string::npos);
}

TEST(Draw, refuses_more_nodes_than_can_be_drawn) {
  EXPECT_NE(run_tool("draw bcast:packed --torus 11x10x10").errors.find("allowed: 1024"), std::string::npos);
}

TEST(Draw, says_which_network_an_algorithm_needs) {
  EXPECT_NE(run_tool("draw bcast:trinaryx3").errors.find("--torus 3x3x3"), std::string::npos);
  EXPECT_EQ(run_tool("draw bcast:trinaryx3 --mesh 3x3").status, 2);
}

TEST(Explain, knows_what_a_network_is_good_for) {
  EXPECT_EQ(run_tool("explain bcast --bytes 1MiB --torus 3x3x3 --json").json()["chosen"], "trinaryx6");
  EXPECT_EQ(run_tool("explain bcast --bytes 1KiB --torus 3x3x3 --json").json()["chosen"], "native");
}

TEST(Explain, says_what_the_native_mpi_is_taken_for) {
  for (const char* collective : {"bcast", "allreduce"}) {
    const std::string words = std::string("explain ") + collective + " --bytes 1MiB --json --torus 3x3x3";
    const auto candidates = run_tool(words).json()["candidates"];
    const auto seconds_of = [&](std::string_view name) {
      for (const auto& one : candidates) {
        if (one["algorithm"] == name) return one["estimated_seconds"].get<double>();
      }
      return 0.0;
    };
    const char* other = collective == std::string("bcast") ? "scatter_allgather" : "recursive_doubling";
    EXPECT_GT(seconds_of("native"), 0);
    EXPECT_LE(seconds_of("native"), seconds_of(other));
  }
  EXPECT_TRUE(run_tool("explain barrier --ranks 4 --json").json()["candidates"][0]["estimated_seconds"].is_null());
  EXPECT_TRUE(run_tool("explain barrier --torus 3x3 --json").json()["candidates"][0]["estimated_seconds"].is_null());
}

}  // namespace
}  // namespace espalier
