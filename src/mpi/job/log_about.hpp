// SPDX-License-Identifier: Apache-2.0
// What the library says while the program runs, if somebody has asked for it (ESPALIER_VERBOSE): by subject, on
// standard error or in a file. Never in a call that was seen before.
#pragma once

#include "mpi/job/job.hpp"

namespace espalier {

// Whether this rank says such things; so that what takes time to find out is found out for somebody.
[[nodiscard]] bool is_logged(const Job& job, Topic subject, Level level);

// One line: "espalier: memory: ...". At level `info` rank 0 says it, for all; at `trace` each rank, with its number.
[[gnu::format(printf, 4, 5)]] void log_about(const Job& job, Topic subject, Level level, const char* format, ...);

// The same at level `info` by this rank, whichever it is.
[[gnu::format(printf, 3, 4)]] void log_about_here(const Job& job, Topic subject, const char* format, ...);

}  // namespace espalier
