// SPDX-License-Identifier: Apache-2.0
// One of Slurm's files: where its mistakes are, and whom its lists name.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

[[nodiscard]] std::string quoted(std::string_view text);
[[nodiscard]] std::string list_of(const std::set<std::string>& words);

class SlurmSource {
 public:
  explicit SlurmSource(const std::string& file) : file_(file) {}

  // Throws BadDescription.
  [[noreturn]] void fail(int line, const std::string& what) const;

  // Nodes or switches. All lists of a file together name no more than a machine has.
  [[nodiscard]] std::vector<std::string> names(std::string_view list, int line);

  // Likewise; ALL are those of all lists that add_all() was given.
  [[nodiscard]] std::vector<std::string> nodes(std::string_view list, int line);
  void add_all(std::string list, int line);

 private:
  const std::string& file_;
  std::size_t names_ = 0;
  std::vector<std::pair<std::string, int>> all_;  // and their lines
};

}  // namespace espalier
