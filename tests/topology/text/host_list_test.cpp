// SPDX-License-Identifier: Apache-2.0
#include "topology/text/host_list.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace espalier::host_list_test {
namespace {

using Words = std::vector<std::string>;

std::string complaint(const std::string& list, std::size_t most = 100) {
  try {
    static_cast<void>(hosts_of(list, most));
  } catch (const std::invalid_argument& bad) {
    return bad.what();
  }
  return "";
}

TEST(HostList, counts_ranges_and_keeps_leading_zeros) {
  EXPECT_EQ(hosts_of("tux", 1), (Words{"tux"}));
  EXPECT_EQ(hosts_of("tux[0-2,7],gate", 5), (Words{"tux0", "tux1", "tux2", "tux7", "gate"}));
  EXPECT_EQ(hosts_of("n[08-11]", 4), (Words{"n08", "n09", "n10", "n11"}));
  EXPECT_EQ(hosts_of("n[8-11,08]", 5), (Words{"n8", "n9", "n10", "n11", "n08"}));
}

TEST(HostList, multiplies_groups_the_last_one_fastest) {
  EXPECT_EQ(hosts_of("r[1-2]n[01,10]-ib", 4), (Words{"r1n01-ib", "r1n10-ib", "r2n01-ib", "r2n10-ib"}));
}

TEST(HostList, fills_the_box_between_two_corners) {
  EXPECT_EQ(hosts_of("t[000x011]", 4), (Words{"t000", "t001", "t010", "t011"}));
  EXPECT_EQ(hosts_of("t[08xAB]", 100).size(), 44u);
  EXPECT_EQ(hosts_of("t[08x0B,11x11]", 5), (Words{"t08", "t09", "t0A", "t0B", "t11"}));
  EXPECT_EQ(hosts_of("t[00A,ZZZ]", 2), (Words{"t00A", "tZZZ"}));
}

TEST(HostList, says_what_is_wrong_and_what_is_allowed) {
  EXPECT_EQ(complaint("n[0-2"), "'n[0-2': a bracket is not closed; allowed: NAME[0-5,7]");
  EXPECT_EQ(complaint("n0-2]"), "'n0-2]': brackets do not pair up; allowed: NAME[0-5,7]");
  EXPECT_EQ(complaint("n[[0]]"), "'n[[0]]': brackets do not pair up; allowed: NAME[0-5,7]");
  EXPECT_EQ(complaint("a,,b"), "'a,,b': an empty name; allowed: names with a comma between each two");
  EXPECT_NE(complaint(""), "");
  EXPECT_NE(complaint("a,"), "");
  for (const char* piece : {"", "2-1", "-1", "1-", "0-1-2", "0-A", "a", "1x", "x1", "00x1", "11x00", "00x0a", "1 2",
                            "1,", "1234567890123456789-1234567890123456789"}) {
    EXPECT_NE(complaint("n[" + std::string(piece) + "]").find("allowed in brackets: numbers (7)"), std::string::npos)
        << piece;
  }
}

TEST(HostList, refuses_too_many_before_there_are_any) {
  EXPECT_EQ(complaint("n[0-100]"), "'0-100': too many names; allowed: 100 more");
  EXPECT_EQ(complaint("n[0-99]"), "");
  EXPECT_EQ(complaint("n[0-99],m"), "'m': too many names; allowed: 0 more");
  EXPECT_EQ(complaint("n[0-9]m[0-10]"), "'0-10': too many names; allowed: 10 more");
  EXPECT_EQ(complaint("n[0-49,50-101]"), "'50-101': too many names; allowed: 50 more");
  EXPECT_NE(complaint("n[0-999999999999999999]", 1 << 20), "");
  EXPECT_EQ(complaint(std::string(12, 'n') + "[0-9999]", 1 << 20), "");
  EXPECT_NE(complaint(std::string(200, 'n') + "[0-999999]", 1 << 20).find("allowed: 16777216 letters together"),
            std::string::npos);
  EXPECT_NE(complaint("n[000000000000000000xZZZZZZZZZZZZZZZZZZ]", 1 << 20), "");
  EXPECT_NE(complaint(std::string(300, 'n')).find("too long a name"), std::string::npos);
  std::string groups = "n";
  for (int k = 0; k < 300; ++k) groups += "[1]";
  EXPECT_NE(complaint(groups).find("too long a name"), std::string::npos);
}

}  // namespace
}  // namespace espalier::host_list_test
