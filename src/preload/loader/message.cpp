// SPDX-License-Identifier: Apache-2.0
#include "preload/loader/message.hpp"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace espalier {

namespace {

// MPI may not be up yet, or never come up, so the launchers' variables have to tell.
bool speaks_for_this_node() {
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"}) {
    if (const char* local_rank = std::getenv(variable)) return std::strcmp(local_rank, "0") == 0;
  }
  return true;
}

}  // namespace

void log_on_node(const char* format, ...) {
  if (!speaks_for_this_node()) return;
  char line[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  dprintf(STDERR_FILENO, "espalier: %s\n", line);
}

}  // namespace espalier
