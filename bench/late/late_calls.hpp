// SPDX-License-Identifier: Apache-2.0
// Calls, with rank 0 as their root, to which ranks arrive late, each from an agreed time on: how long they
// take. (Paper 4, section 5.1.) All ranks share a machine, and so one clock.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct LateOptions {
  std::string collective = "bcast";
  std::size_t bytes = 1 << 20;
  std::vector<std::string> variants;
  int calls = 100;  // of each variant in a round
  int rounds = 1;
  std::vector<double> delays;  // seconds, by rank
  int change_after = 0;        // calls; then the delays are those of the ranks in reverse order; 0: never
};

// A variant in a round.
struct LateRow {
  std::string variant;
  // Of each call, seconds: from the first entry to the last exit; in the call, mean over ranks.
  std::vector<double> overall, mean;
};

// Variants as ../collectives/named_variant.hpp has them, and "ideal:NAME[,...]": one of Espalier's, arranged as suits
// the delays best. In each round another one begins, and each knows nothing: it gets a communicator of its own. Throws
// if a result is wrong. Collective; the same result on all ranks.
[[nodiscard]] std::vector<LateRow> run_late(const LateOptions& options, MPI_Comm comm);

}  // namespace bench
