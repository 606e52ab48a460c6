// SPDX-License-Identifier: Apache-2.0
// Where the ranks of a communicator run, and on what: communicators of equal placement share what was learnt.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/types.hpp"

namespace espalier {

struct Placement {
  std::string mpi;      // what the library says of itself
  std::string network;  // the hash of its description, and which nodes of it; empty: it is not described
  std::string ranks_of_nodes;
  Rank ranks = 1;
  int nodes = 1;
  int cores = 1;  // of a node
  // A hash of who the ranks are, in their order. Of this job alone: for others it makes no difference.
  std::uint64_t members = 0;

  [[nodiscard]] std::uint64_t fingerprint() const;
};

// Numbers as a placement has them: "0 1 3". Of many, what repeats or goes up by one is said once, so that the text does
// not grow with the machine: "2 x9216", "0-9215".
[[nodiscard]] std::string brief_text(std::span<const int> numbers);

// `node_of`: a number for each rank's node, in which only equal and unequal count. "2 2 1": this many ranks on the
// first node, the second, ...; where the ranks of a node do not follow one another, "not by node: 0 1 0". And how many
// nodes.
struct RanksOfNodes {
  std::string text;
  int nodes = 0;
};
[[nodiscard]] RanksOfNodes ranks_of_nodes(std::span<const int> node_of);

// As a file's name has it: 16 hexadecimal digits.
[[nodiscard]] std::string fingerprint_text(std::uint64_t fingerprint);

}  // namespace espalier
