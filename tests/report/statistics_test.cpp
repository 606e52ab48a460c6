// SPDX-License-Identifier: Apache-2.0
#include "report/statistics.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

RowKeyView ring_key() { return {"allreduce", CallForm::nonblocking, 11, "ring", "segment=16KiB,window=4", "forced"}; }

TEST(SizeClass, holds_messages_up_to_twice_as_large) {
  EXPECT_EQ(size_class_of(0), 0);
  EXPECT_EQ(size_class_of(1), 1);
  EXPECT_EQ(size_class_of(1023), 10);
  EXPECT_EQ(size_class_of(1024), 11);
  EXPECT_EQ(lowest_bytes_of(0), 0u);
  EXPECT_EQ(highest_bytes_of(0), 0u);
  EXPECT_EQ(lowest_bytes_of(11), 1024u);
  EXPECT_EQ(highest_bytes_of(11), 2047u);
  EXPECT_EQ(highest_bytes_of(64), ~std::size_t{0});
}

TEST(Statistics, has_one_row_per_key_and_never_moves_it) {
  Statistics statistics;
  StatisticsRow* const row = &statistics.row(ring_key());
  for (int k = 0; k < 100; ++k) (void)statistics.row({.size_class = k, .algorithm = "native"});
  EXPECT_EQ(&statistics.row(ring_key()), row);
  EXPECT_EQ(statistics.rows().size(), 101u);
}

TEST(Statistics, adds_rows_of_equal_keys) {
  Statistics a;
  Statistics b;
  a.row(ring_key()).calls = 2;
  b.row(ring_key()).calls = 3;
  b.row({.algorithm = "native"}).calls = 4;
  a.add(b);
  EXPECT_EQ(a.row(ring_key()).calls, 5u);
  EXPECT_EQ(a.row({.algorithm = "native"}).calls, 4u);
}

TEST(Statistics, is_the_same_after_being_written_and_read) {
  Statistics statistics;
  statistics.row(ring_key()).add(7, std::uint64_t{1} << 40, std::chrono::nanoseconds(123456789012));
  statistics.row({.collective = "barrier"}).calls = 1;
  (void)statistics.row({.collective = "without a call"});
  const Statistics read = Statistics::read(statistics.written());
  ASSERT_EQ(read.rows().size(), 2u);
  EXPECT_EQ(read.written(), statistics.written());
  EXPECT_EQ(read.rows()[0].key.collective, "allreduce");
  EXPECT_EQ(read.rows()[0].key.form, CallForm::nonblocking);
  EXPECT_EQ(read.rows()[0].key.parameters, "segment=16KiB,window=4");
  EXPECT_EQ(read.rows()[0].nanoseconds, 123456789012u);
}

TEST(Statistics, leaves_out_lines_that_are_no_rows) {
  const std::string row = "2\t11\t7\t8\t9\tbcast\tring\t\tforced\t\n";
  EXPECT_EQ(Statistics::read(row + "3\t11\t7\t8\t9\tbcast\tring\t\tno such form\t\n" + row).rows().size(), 2u);
  for (const char* none : {"\n", "2\t65\t7\t8\t9\t\t\t\t\n", "2\t-1\t7\t8\t9\n", "2\t11\t7\t8\n", "x\t1\t1\t1\t1\n"}) {
    EXPECT_TRUE(Statistics::read(none).rows().empty()) << none;
  }
}

TEST(RankStatistics, is_the_same_after_being_written_and_read) {
  RankStatistics rank{.wall_nanoseconds = 123};
  rank.statistics.row(ring_key()).calls = 2;
  const RankStatistics read = RankStatistics::read(rank.written());
  EXPECT_EQ(read.wall_nanoseconds, 123u);
  EXPECT_EQ(read.statistics.written(), rank.statistics.written());
  EXPECT_EQ(RankStatistics::read("none\n").wall_nanoseconds, 0u);
}

TEST(Statistics, reads_nothing_from_nothing) { EXPECT_TRUE(Statistics::read("").rows().empty()); }

}  // namespace
}  // namespace espalier
