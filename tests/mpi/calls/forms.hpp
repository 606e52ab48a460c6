// SPDX-License-Identifier: Apache-2.0
// Our functions in the place of the MPI's, each called by what a call may say.
#pragma once

#include <span>

#include "calls/task.hpp"
#include "fake/rank_of_job.hpp"

namespace espalier {

struct Arguments {
  const void* input = nullptr;
  void* output = nullptr;
  Side sent, received;
  int count = 0;
  MPI_Datatype type = MPI_INT;
  MPI_Op op = MPI_SUM;
  int root = 0;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request* request = nullptr;
};

struct Form {
  const char* name = "";  // the MPI's function
  Collective collective = Collective::barrier;
  int (*call)(const Arguments& with) = nullptr;
  bool is_uneven = false;
};

void PrintTo(const Form& form, std::ostream* out);

[[nodiscard]] std::span<const Form> blocking_forms();
[[nodiscard]] std::span<const Form> nonblocking_forms();
[[nodiscard]] std::span<const Form> persistent_forms();

}  // namespace espalier
