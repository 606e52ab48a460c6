// SPDX-License-Identifier: Apache-2.0
// Variants of one collective, measured in turns.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "../collectives/data.hpp"

namespace bench {

struct Options {
  std::string collective = "bcast";
  std::vector<std::size_t> bytes = {65536, 1048576};
  std::vector<std::string> variants = {"native", "forced:*", "espalier"};
  std::vector<int> members;  // of the world, which make the communicator in this order; empty: all
  int repeats = 5;
  int series = 0;    // calls one after the other (series.hpp); 0: the variants are measured in turn
  double limit = 0;  // seconds for a series: one that would take longer has fewer calls; 0: as long as it takes
  Numbers numbers = Numbers::real;  // in a series
  bool is_fresh = false;            // each row of a series has a communicator that was just made
  int root = -1;                    // of all calls; -1: another one in each
  bool trains = true;               // time calls back to back, not each alone
  std::uint64_t seed = 1;
};

struct Row {
  std::size_t bytes = 0;
  std::string variant;
  std::vector<double> seconds;
  double cpu_busy = 0;       // mean
  std::vector<double> each;  // of a series: the time of each call, mean over ranks
};

// Each of the MPI's own algorithms is measured once; only the best two are measured again, in turns with all that is
// not forced. One that took more than twice as long as the best is left out at larger sizes. Throws if a result
// is wrong.
[[nodiscard]] std::vector<Row> compare(const Options& options, MPI_Comm comm);

}  // namespace bench
