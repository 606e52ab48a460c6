// SPDX-License-Identifier: Apache-2.0
#include "core/printable.hpp"

#include <gtest/gtest.h>

namespace espalier::printable_test {
namespace {

TEST(Printable, leaves_text_as_it_is) {
  for (const char* text : {"", "node 7", "a \\ \"b\"", "K\xc3\xb6ln \xe2\x94\x80 \xf0\x9f\x8c\xb3"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, shows_control_characters_instead_of_sending_them) {
  EXPECT_EQ(printable("\x1b[2Jn\x07\x7f"), "\\x1b[2Jn\\x07\\x7f");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\x0ab\\x09c\\x0d");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b"
            "2J")
      << "the control characters above 127";
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, shows_bytes_that_are_not_utf_8) {
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "\\xff"
            "a\\xc3");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "more bytes than needed";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last character";
}

TEST(PrintableLines, may_end_with_a_newline) { EXPECT_EQ(printable_lines("a\n\x1b\n"), "a\n\\x1b\n"); }

}  // namespace
}  // namespace espalier::printable_test
