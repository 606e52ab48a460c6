// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tool.hpp"

namespace espalier {
namespace {

class ExchangeFile {
 public:
  explicit ExchangeFile(const std::string& text)
      : path_(testing::TempDir() + "espalier-exchange-" + std::to_string(getpid())) {
    std::ofstream(path_) << text;
  }
  ~ExchangeFile() { std::remove(path_.c_str()); }
  ExchangeFile(const ExchangeFile&) = delete;
  ExchangeFile& operator=(const ExchangeFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

TEST(HaloTool, compares_all_packers) {
  const auto answer = run_tool("halo --json").json();
  EXPECT_EQ(answer["puts"], 14);
  ASSERT_EQ(answer["packers"].size(), 10u);
  EXPECT_EQ(answer["packers"][5]["name"], "bottomleft(4)");
  EXPECT_LE(answer["packers"][9]["seconds"], answer["packers"][5]["seconds"]);
  EXPECT_NE(run_tool("halo --neighbours sides").output.find("roundrobin(2)"), std::string::npos);
}

TEST(HaloTool, draws_what_a_packer_does) {
  const std::string text = run_tool("halo --packer 'bottomleft(4)'").output;
  EXPECT_NE(text.find("bottomleft(4): 14 puts to all, height 872"), std::string::npos);
  EXPECT_NE(text.find("engine 3  "), std::string::npos);
  EXPECT_NE(text.find("a east  b west  c north  d south  e northeast"), std::string::npos);
  const std::string picture = run_tool("halo --packer fastest --format svg").output;
  EXPECT_EQ(picture.rfind("<svg", 0), 0u);
  EXPECT_EQ(std::ranges::count(picture, '<'), std::ranges::count(picture, '>'));
}

TEST(HaloTool, refuses_what_it_does_not_know) {
  const Outcome packer = run_tool("halo --packer bottom");
  EXPECT_EQ(packer.status, 2);
  EXPECT_NE(packer.errors.find("no such packer; allowed: roundrobin(1), "), std::string::npos);
  EXPECT_EQ(run_tool("halo --neighbours up").status, 2);
  EXPECT_EQ(run_tool("halo --height 0").status, 2);
}

// Of two nodes with two NICs, which exchange a long message and a short one.
TEST(HaloTool, compares_packers_for_an_exchange_in_a_file) {
  const ExchangeFile file(R"({"nodes": 2, "nics": [1e6, 1e6], "messages": [[0, 1, 100000], [1, 0, 50000]]})");
  const auto answer = run_tool("halo --json --exchange " + file.path()).json();
  EXPECT_EQ(answer["puts"], 2);
  EXPECT_DOUBLE_EQ(answer["least_seconds"], .05);
  EXPECT_EQ(answer["auto"], "even");
  EXPECT_EQ(answer["packers"][2]["name"], "roundrobin(1)");
  EXPECT_DOUBLE_EQ(answer["packers"][2]["seconds"], .1);
  EXPECT_NE(run_tool("halo --exchange " + file.path()).output.find("Chosen where nothing is forced: even"),
            std::string::npos);
}

TEST(HaloTool, refuses_an_exchange_that_is_none) {
  struct Wrong {
    const char *text, *words;
  };
  for (const auto& [text, words] : {
           Wrong{"{", "it is no exchange"},
           Wrong{R"({"nodes": 0, "nics": [1], "messages": []})", "nodes must be a whole number from 1"},
           Wrong{R"({"nodes": 2, "nics": [], "messages": []})", "the number of nics must be"},
           Wrong{R"({"nodes": 2, "nics": [0], "messages": []})", "above 0"},
           Wrong{R"({"nodes": 2, "nics": [1], "messages": []})", "no node sends"},
           Wrong{R"({"nodes": 2, "nics": [1], "messages": [[0, 2, 9]]})", "the receiver of a message must be"},
           Wrong{R"({"nodes": 2, "nics": [1], "messages": [[0, 1]]})", "[from, to, bytes]"},
           Wrong{R"({"nodes": 2, "nics": [1], "grid": [3], "messages": [[0, 1, 9]]})", "grid 3 does not have 2 nodes"},
       }) {
    const ExchangeFile file(text);
    const Outcome outcome = run_tool("halo --exchange " + file.path());
    EXPECT_EQ(outcome.status, 2) << text;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
  }
  EXPECT_EQ(run_tool("halo --packer even --exchange x.json").status, 2);
}

}  // namespace
}  // namespace espalier
