// SPDX-License-Identifier: Apache-2.0
// What is kept of all cases.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "differential/task.hpp"
#include "shared/preloaded.hpp"

namespace espalier::apps {

class Tally {
 public:
  // A call was made: this many runs of our own, and this many calls handed on, were counted for it.
  void add_call(const Task& task, const CallCounts& counted);
  // The bits of a result: equal in every run of this program.
  void add_bits(const Task& task, std::uint64_t hash);
  void add_expression() { ++expressions_; }

  // As members of a JSON object; collective over MPI_COMM_WORLD. With those of the functions and algorithms that have
  // not met.
  [[nodiscard]] std::string facts(const std::vector<std::string>& wanted_pairs) const;

 private:
  void check_path(const Task& task, const CallCounts& counted) const;

  std::uint64_t own_ = 0, native_ = 0, expressions_ = 0, bits_ = 0;
  std::map<std::string, std::uint64_t> by_function_, by_algorithm_;
  std::map<std::string, std::uint64_t> own_by_pair_;  // "MPI_Bcast bcast:chain"
};

// An algorithm's name in a setting: without parameters.
[[nodiscard]] std::string without_parameters(const std::string& algorithm);

}  // namespace espalier::apps
