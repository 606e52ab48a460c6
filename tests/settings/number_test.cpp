// SPDX-License-Identifier: Apache-2.0
#include "settings/number.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Number, is_read_when_it_has_digits_only) {
  EXPECT_EQ(parse_number("0"), 0u);
  EXPECT_EQ(parse_number("65536"), 65536u);
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "0x10", "1e3", "1.5", "abc", "99999999999999999999999"}) {
    EXPECT_EQ(parse_number(bad), std::nullopt) << bad;
  }
}

TEST(Size, is_read_with_binary_units_and_without) {
  EXPECT_EQ(parse_size("65536"), 65536u);
  EXPECT_EQ(parse_size("16KiB"), 16384u);
  EXPECT_EQ(parse_size("1MiB"), 1048576u);
  EXPECT_EQ(parse_size("3GiB"), std::size_t{3} << 30);
}

TEST(Size, is_refused_when_it_is_ambiguous_or_too_large) {
  for (const char* bad : {"64k", "64K", "64KB", "64kib", "KiB", "1.5MiB", "-1KiB", "16 KiB", "18014398509481984KiB"}) {
    EXPECT_EQ(parse_size(bad), std::nullopt) << bad;
  }
}

TEST(Size, is_read_back_when_it_was_written) {
  EXPECT_EQ(format_size(0), "0");
  EXPECT_EQ(format_size(1000), "1000");
  EXPECT_EQ(format_size(65536), "64KiB");
  EXPECT_EQ(format_size(1536), "1536");
  for (const std::size_t size : {0ul, 1ul, 1000ul, 1024ul, 3ul << 20, 5ul << 30, (1ul << 30) + 1}) {
    EXPECT_EQ(parse_size(format_size(size)), size);
  }
}

}  // namespace
}  // namespace espalier
