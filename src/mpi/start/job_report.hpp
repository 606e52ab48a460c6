// SPDX-License-Identifier: Apache-2.0
// Collects the statistics of all ranks and writes the report.
#pragma once

#include <string>

#include "native/native.hpp"
#include "report/statistics.hpp"

namespace espalier {

// Collective over all ranks; rank 0 writes the file that ESPALIER_REPORT names, with a number added to the name if such
// a file exists, and prints the table that ESPALIER_STATS wants. `wall`: from the end of MPI_Init to the beginning of
// MPI_Finalize.
void write_job_report(Clock::duration wall);

// What the MPI library says of itself, in one line; and that line as people read it.
[[nodiscard]] std::string library_text(const Native& mpi);
[[nodiscard]] std::string library_line(const Native& mpi);

}  // namespace espalier
