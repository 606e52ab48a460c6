// SPDX-License-Identifier: Apache-2.0
// Fresh data for each call, and whether the result is right. Values are small whole numbers, so every order of
// summation gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

class Data {
 public:
  Data(std::size_t bytes, int rank, int ranks);

  void prepare(const std::string& collective, std::uint64_t round, int root);
  [[nodiscard]] bool is_right(const std::string& collective) const;

  [[nodiscard]] int count() const { return static_cast<int>(input.size()); }
  [[nodiscard]] int root() const { return root_; }

  std::vector<double> input, output;

 private:
  [[nodiscard]] double of_rank(int rank) const;
  [[nodiscard]] double of_element(std::size_t i) const;

  int rank_, ranks_, root_ = 0;
  std::uint64_t round_ = 0;
};

}  // namespace bench
