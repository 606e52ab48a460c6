// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <algorithm>
#include <cstdio>

namespace bench {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print_table(const Results& results) {
  std::printf("%s, %d ranks, %s\n", results.collective.c_str(), results.ranks, results.mpi.c_str());
  for (const Row& row : results.rows) {
    std::printf("%10zu B  %-40s ", row.bytes, row.variant.c_str());
    if (row.seconds.empty()) std::printf("left to the MPI\n");
    if (!row.seconds.empty()) std::printf("%12.3f us\n", median(row.seconds) * 1e6);
  }
}

bool write_json(const Results& results, const std::string& file) {
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr) {
    std::perror(file.c_str());
    return false;
  }
  std::fprintf(out, "{\"collective\": \"%s\", \"mpi\": \"%s\", \"ranks\": %d, \"rows\": [", results.collective.c_str(),
               results.mpi.c_str(), results.ranks);
  for (std::size_t i = 0; i < results.rows.size(); i++) {
    const Row& row = results.rows[i];
    std::fprintf(out, "%s\n{\"bytes\": %zu, \"variant\": \"%s\", \"cpu_seconds\": %.9g, \"seconds\": [",
                 i == 0 ? "" : ",", row.bytes, row.variant.c_str(), row.cpu_seconds);
    for (std::size_t k = 0; k < row.seconds.size(); k++) {
      std::fprintf(out, "%s%.9g", k == 0 ? "" : ", ", row.seconds[k]);
    }
    std::fprintf(out, "]}");
  }
  std::fprintf(out, "\n]}\n");
  return std::fclose(out) == 0;
}

}  // namespace bench
