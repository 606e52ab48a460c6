// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_text.hpp"

#include <gtest/gtest.h>

#include "memory/examples.hpp"

namespace espalier {
namespace {

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(memory_from_text(text, "m.toml"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

TEST(MemoryText, is_read_as_it_was_written) {
  PlacementMemory memory = example();
  memory.is_pinned = true;
  memory.placement.mpi = "an \"MPI\" \\ of\tmine";
  const std::string text = text_of_memory(memory);
  const PlacementMemory read = memory_from_text(text, "m.toml");
  EXPECT_EQ(text_of_memory(read), text);
  EXPECT_TRUE(read.is_pinned);
  EXPECT_EQ(read.library, "1.2.3");
  ASSERT_EQ(read.contexts.size(), 2u);
  EXPECT_EQ(read.contexts[0].key, memory.contexts[0].key);
  EXPECT_EQ(read.contexts[1].key, memory.contexts[1].key);
  EXPECT_EQ(read.contexts[0].known_algorithms[0].choice, "chain,segment=64KiB,window=4");
  EXPECT_NEAR(read.contexts[0].known_algorithms[1].seconds, 2e-3, 1e-6);
  EXPECT_EQ(read.placement.ranks_of_nodes, "4 4");
}

TEST(MemoryText, that_is_wrong_is_refused_with_line_and_reason) {
  const std::string right = text_of_memory(example());
  EXPECT_EQ(complaint(right), "");
  EXPECT_EQ(complaint(with(right, "\"bcast\"", "\"cast\"")), "m.toml:12: there is no collective 'cast'");
  EXPECT_EQ(complaint(with(right, "ranks = 8", "ranks = 0")),
            "m.toml:5: ranks must be a whole number from 1 to 2147483647");
  EXPECT_EQ(complaint(with(right, "seconds = 1.0000e-03", "seconds = -1")),
            "m.toml:18: seconds must be a number from 1e-12 to 1e+09");
  EXPECT_EQ(complaint(with(right, "sd = 2.0000e-02", "sd = nan")), "m.toml:18: sd must be a number from 0 to 10");
  EXPECT_EQ(complaint(with(right, "\"commutative\"", "\"vague\"")),
            "m.toml:27: arithmetic: 'vague'; allowed: exact, commutative or rank_order");
  EXPECT_EQ(complaint(with(right, "root = 3", "root = 3\nleaf = 4")).substr(0, 35),
            "m.toml:14: 'leaf' is not known here");
  EXPECT_EQ(complaint(with(right, "calls = 300", "calls = 0.5")), "m.toml:16: calls must be a number from 1 to 1e+15");
  EXPECT_EQ(
      complaint(with(right, "segment=64KiB", "segment=1")),
      "m.toml:18: choice = 'chain,segment=1,window=4': segment=1; allowed: 0, or 256 to 1GiB, in bytes or with KiB, "
      "MiB or GiB");
  EXPECT_NE(complaint(with(right, "segment=64KiB", "colour=64")), "");
  EXPECT_NE(complaint(with(right, "\"native\"", "\"native;reduce:native\"")), "");
  EXPECT_NE(complaint("x"), "");
  EXPECT_NE(complaint(""), "");
}

TEST(MemoryText, that_ends_anywhere_is_refused_or_lacks_contexts_only) {
  const std::string text = text_of_memory(example());
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes) {
    try {
      const PlacementMemory read = memory_from_text(text.substr(0, bytes), "m.toml");
      EXPECT_EQ(read.placement.fingerprint(), example().placement.fingerprint());
    } catch (const BadDescription&) {
    }
  }
}

TEST(MemoryText, of_a_later_format_is_told_from_a_damaged_one) {
  const std::string later = with(text_of_memory(example()), "format = 1", "format = 2");
  EXPECT_THROW(static_cast<void>(memory_from_text(later, "m.toml")), ForeignMemory);
  EXPECT_EQ(complaint(later), "m.toml:2: format = 2; allowed: 1");
}

}  // namespace
}  // namespace espalier
