// SPDX-License-Identifier: Apache-2.0
// A parser that is fed with any text. Each is a file NAME.cpp here that registers a Target; the texts it begins with
// are the files in corpus/NAME, and words that help to get through it are in NAME.dict.
#pragma once

#include <stdexcept>
#include <string_view>
#include <vector>

namespace espalier::fuzz {

struct Target {
  const char* name;
  // Throws whatever the parser lets through that it must not, and where a result is not what was promised.
  void (*run)(std::string_view text);
};

// Those in this program: one under libFuzzer, all in the replay of the corpora.
[[nodiscard]] inline std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

struct Registration {
  Registration(const char* name, void (*run)(std::string_view text)) { targets().push_back({name, run}); }
};

inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace espalier::fuzz
