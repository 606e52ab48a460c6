// SPDX-License-Identifier: Apache-2.0
#include "memory/placement.hpp"

#include <map>
#include <vector>

#include "core/hash.hpp"

namespace espalier {

namespace {

std::string with_blanks(std::span<const int> numbers) {
  std::string text;
  for (const int number : numbers) text.append(text.empty() ? "" : " ").append(std::to_string(number));
  return text;
}

// In the order in which they come.
std::vector<int> renumbered(std::span<const int> node_of) {
  std::map<int, int> numbers;
  std::vector<int> numbered;
  for (const int node : node_of) {
    numbered.push_back(numbers.try_emplace(node, static_cast<int>(numbers.size())).first->second);
  }
  return numbered;
}

}  // namespace

std::uint64_t Placement::fingerprint() const {
  std::uint64_t hash = hash_of_nothing;
  for (const std::string* text : {&mpi, &network, &ranks_of_nodes})
    hash = hash_of_text("\n", hash_of_text(*text, hash));
  for (const int number : {ranks, nodes, cores}) hash = hash_of_number(static_cast<std::uint64_t>(number), hash);
  return hash;
}

RanksOfNodes ranks_of_nodes(std::span<const int> node_of) {
  const std::vector<int> numbered = renumbered(node_of);
  std::vector<int> ranks;
  int last = -1;
  bool by_node = true;
  for (const int node : numbered) {
    if (node >= static_cast<int>(ranks.size())) ranks.push_back(0);
    by_node = by_node && (node == last || ranks[static_cast<std::size_t>(node)] == 0);
    ++ranks[static_cast<std::size_t>(node)];
    last = node;
  }
  const std::string text = by_node ? with_blanks(ranks) : "not by node: " + with_blanks(numbered);
  return {text, static_cast<int>(ranks.size())};
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[fingerprint >> shift & 15];
  return text;
}

}  // namespace espalier
