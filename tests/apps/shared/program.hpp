// SPDX-License-Identifier: Apache-2.0
// What all test programs begin and end with.
#pragma once

#include <cstdint>

namespace espalier::apps {

// The command line's words.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) {}
  // The number at a place, counted from 1.
  [[nodiscard]] std::uint64_t number(int place, std::uint64_t otherwise) const;

 private:
  int argc_;
  char** argv_;
};

// Runs a program between MPI_Init_thread and MPI_Finalize; returns its exit status.
[[nodiscard]] int run_program(int argc, char** argv, int (*run)(const Arguments&), int thread_level);
[[nodiscard]] int run_program(int argc, char** argv, int (*run)(const Arguments&));

}  // namespace espalier::apps
