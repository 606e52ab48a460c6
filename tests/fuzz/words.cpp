// SPDX-License-Identifier: Apache-2.0
#include "settings/words.hpp"

#include <algorithm>

#include "target.hpp"

namespace espalier::fuzz {
namespace {

constexpr std::string_view known[] = {"", "a", "ESPALIER_ALGORITHM", "allreduce:ring"};

void run(std::string_view text) {
  std::string joined;
  for (const std::string_view part : split(text, ',')) {
    require(part.find(',') == part.npos, "a separator is in a part");
    joined.append(part) += ',';
  }
  joined.pop_back();
  require(joined == text, "parts do not make up the text");
  const std::string_view nearest = nearest_word(text, known);
  require(std::ranges::find(known, nearest) != std::end(known), "the nearest word is none of the words");
}

const Registration registration("words", run);

}  // namespace
}  // namespace espalier::fuzz
