// SPDX-License-Identifier: Apache-2.0
// What a job leaves to later ones of its calls' times, for the history of each placement, and of what these may depend
// on (docs/reference/memory.md has the fields).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/history.hpp"
#include "memory/memory_text.hpp"

namespace espalier {

// What may be another in the next job, where calls take longer.
struct Circumstances {
  std::int64_t at = 0;  // seconds since 1970
  std::string run;      // ESPALIER_RUN
  std::string program, host;
  std::string host_list;  // as the batch system has it; empty: it does not say
  std::string kernel;
  std::vector<std::string> nics;  // of rank 0's node, with their rates
  double load = -1;               // of rank 0's node, as the system has it for the last minute; less than 0: unknown
  int world_ranks = 1;
  double waited = -1;  // for a processor: of the wall time, the rank's that waited most; less than 0: unknown
};
// Those of this process's node; the rest is the job's to say.
[[nodiscard]] Circumstances circumstances_here();

// What this thread has waited for a processor since it began, in seconds, while it could have run; 0: the kernel does
// not say. Where others use the processors, calls take longer though the network is as it was.
[[nodiscard]] double waited_for_processor() noexcept;

// One for each placement in which something was timed.
[[nodiscard]] std::vector<HistoryLine> history_of(const std::vector<PlacementMemory>& learnt,
                                                  const Circumstances& circumstances);

}  // namespace espalier
