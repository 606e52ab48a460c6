// SPDX-License-Identifier: Apache-2.0
#include "levels/published.hpp"

#include <gtest/gtest.h>

#include "core/bad_description.hpp"
#include "levels/known_nodes.hpp"

namespace espalier::published_test {
namespace {

std::string complaint(const std::string& rest) {
  try {
    static_cast<void>(published_from_toml("[[times]]\nlibrary='a'\nnode='b'\nsource='c'\nranks=2\n" + rest, "p.toml"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(Published, has_a_source_for_each_time) {
  const auto times = published_from_toml(published_times().text, "published.toml");
  EXPECT_EQ(times.size(), 12u);
  for (const PublishedTime& one : times) EXPECT_FALSE(one.source.empty());
  EXPECT_EQ(times.front().library, "ext_mpi");
  EXPECT_DOUBLE_EQ(times.front().seconds, 4.8e-6);
}

TEST(Published, refuses_times_that_do_not_go_with_sizes) {
  EXPECT_EQ(complaint("collective='bcast'\nbytes=[1,2]\nmicroseconds=[3]\n"),
            "p.toml:8: there must be a time for each size");
  EXPECT_EQ(complaint("collective='cast'\nbytes=[1]\nmicroseconds=[3]\n"), "p.toml:6: there is no such collective");
  EXPECT_EQ(complaint("collective='bcast'\nbytes=[-1]\nmicroseconds=[3]\n"),
            "p.toml:7: a size must be a number of bytes");
}

}  // namespace
}  // namespace espalier::published_test
