// SPDX-License-Identifier: Apache-2.0
#include "memory/placement.hpp"

#include <map>
#include <vector>

#include "core/hash.hpp"

namespace espalier {

namespace {

// Shorter runs are written out.
constexpr std::size_t least_to_shorten = 64;

// From `at` on: how many are each by `step` more than the one before.
std::size_t run_from(std::span<const int> numbers, std::size_t at, int step) {
  std::size_t end = at + 1;
  while (end < numbers.size() && numbers[end] == numbers[end - 1] + step) ++end;
  return end - at;
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

std::string brief_text(std::span<const int> numbers) {
  std::string text;
  for (std::size_t at = 0; at < numbers.size();) {
    if (!text.empty()) text += " ";
    text += std::to_string(numbers[at]);
    const std::size_t equal = run_from(numbers, at, 0), rising = run_from(numbers, at, 1);
    if (equal >= least_to_shorten) {
      text += " x" + std::to_string(equal);
      at += equal;
    } else if (rising >= least_to_shorten) {
      text += "-" + std::to_string(numbers[at + rising - 1]);
      at += rising;
    } else {
      ++at;
    }
  }
  return text;
}

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
  const std::string text = by_node ? brief_text(ranks) : "not by node: " + brief_text(numbered);
  return {text, static_cast<int>(ranks.size())};
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[fingerprint >> shift & 15];
  return text;
}

}  // namespace espalier
