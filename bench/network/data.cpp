// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <algorithm>

namespace bench {

namespace {

// The finaliser of splitmix64.
std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

double small(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(scramble(a * 0x9e3779b97f4a7c15 + b) % 1024);
}

}  // namespace

Data::Data(std::size_t bytes, int rank, int ranks)
    : input((bytes + sizeof(double) - 1) / sizeof(double)), output(input.size()), rank_(rank), ranks_(ranks) {}

double Data::of_rank(int rank) const { return small(round_, 0x10000000000 + static_cast<std::uint64_t>(rank)); }
double Data::of_element(std::size_t i) const { return small(round_, i); }

void Data::prepare(const std::string& collective, std::uint64_t round, int root) {
  round_ = round;
  root_ = root;
  const double mine = of_rank(rank_);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = mine + of_element(i);
  if (collective == "bcast" && rank_ == root) {
    output = input;
  } else {
    std::ranges::fill(output, -1);
  }
}

bool Data::is_right(const std::string& collective) const {
  if (collective == "reduce" && rank_ != root_) return true;
  double from_ranks = of_rank(root_), times = 1;
  if (collective != "bcast") {
    from_ranks = 0;
    times = ranks_;
    for (int rank = 0; rank < ranks_; ++rank) from_ranks += of_rank(rank);
  }
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (output[i] != from_ranks + times * of_element(i)) return false;
  }
  return true;
}

}  // namespace bench
