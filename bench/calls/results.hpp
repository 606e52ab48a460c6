// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct Row {
  std::size_t bytes = 0;
  std::string variant;
  // One call's time on the slowest rank, by repeat; none if Espalier leaves such calls to the MPI.
  std::vector<double> seconds;
  double cpu_seconds = 0;  // of one call, all ranks together
};

struct Results {
  std::string collective, mpi;
  int ranks = 0;
  std::vector<Row> rows;
};

[[nodiscard]] double median(std::vector<double> values);
void print_table(const Results& results);
// False, with a message, if the file cannot be written.
[[nodiscard]] bool write_json(const Results& results, const std::string& file);

}  // namespace bench
