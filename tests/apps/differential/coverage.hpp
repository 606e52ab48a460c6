// SPDX-License-Identifier: Apache-2.0
// Picks cases out of a matrix that is too large to be tried in full.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace espalier::apps {

enum class Coverage : std::uint8_t {
  brief,    // as pairs, of fewer values
  pairs,    // every value of every dimension meets every value of every other one
  triples,  // every three values of three dimensions meet
};
[[nodiscard]] Coverage coverage_named(const std::string& name);

// A value for each dimension.
using Row = std::vector<int>;

// Rows of the matrix whose dimensions have so many values, by the value of the first dimension and else mixed; a
// function of its arguments alone.
[[nodiscard]] std::vector<Row> cover(const std::vector<int>& sizes, Coverage coverage, std::uint64_t seed);

}  // namespace espalier::apps
