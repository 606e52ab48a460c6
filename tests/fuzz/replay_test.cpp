// SPDX-License-Identifier: Apache-2.0
// The corpora without libFuzzer: every text once, and some that are near it. What was found once stays mended.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <string>

#include "target.hpp"

namespace espalier::fuzz {

// In the names of tests, which else would hold addresses.
static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

const int texts_near_each = std::getenv("THOROUGH_TESTS") != nullptr ? 16 : 4;
constexpr std::size_t longest_to_change = 4096;

std::vector<std::string> files_in(const std::filesystem::path& directory) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A byte changed, dropped or doubled, or the end cut off.
std::string near(std::string text, std::minstd_rand& random) {
  if (text.empty()) return text;
  const std::size_t place = random() % text.size();
  switch (random() % 4) {
    case 0: text[place] = static_cast<char>(random()); break;
    case 1: text.erase(place, 1); break;
    case 2: text.insert(place, 1, text[place]); break;
    default: text.resize(place);
  }
  return text;
}

void feed(const Target& target, const std::string& text, const std::string& where) {
  try {
    target.run(text);
  } catch (const std::exception& error) {
    ADD_FAILURE() << where << ": " << error.what() << "\n" << testing::PrintToString(text.substr(0, longest_to_change));
  }
}

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, finds_nothing_wrong_with_stored_inputs) {
  const Target& target = GetParam();
  std::vector<std::string> files = files_in(std::string(ESPALIER_FUZZ_CORPORA "/") + target.name);
  EXPECT_FALSE(files.empty());
  std::ranges::move(files_in(ESPALIER_STORED_MACHINES), std::back_inserter(files));
  std::minstd_rand random;
  for (const std::string& file : files) {
    const std::string text = text_of(file);
    feed(target, text, file);
    if (text.size() > longest_to_change) continue;
    for (int k = 0; k < texts_near_each; ++k) feed(target, near(text, random), "near " + file);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Replay, testing::ValuesIn(targets()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace espalier::fuzz
