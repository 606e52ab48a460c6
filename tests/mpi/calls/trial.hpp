// SPDX-License-Identifier: Apache-2.0
// A rank's part in a task, with buffers of its own.
#pragma once

#include <vector>

#include "calls/forms.hpp"

namespace espalier {

// How the elements lie, what adds them, and where they go.
struct Manner {
  bool in_place = false;  // where the rank has the choice
  MPI_Datatype type = MPI_INT;
  int stride = 1;  // ints from one element, an int, to the next
  int first = 0;   // ints from the buffer's address to the first element
  MPI_Op op = MPI_SUM;
  MPI_Comm comm = MPI_COMM_WORLD;
};

class Trial {
 public:
  Trial(const Task& task, Rank me, const Manner& manner = {});

  // Once. Returns what the MPI would.
  [[nodiscard]] int start(const Form& form, MPI_Request* request = nullptr);
  // After the call: what the contract says is there, and nothing else was touched.
  void expect_result() const;

 private:
  [[nodiscard]] bool has_input() const;
  [[nodiscard]] bool has_output() const;
  [[nodiscard]] bool input_stays() const;
  void put_input();
  [[nodiscard]] std::vector<int> expected_output() const;

  const Task task_;
  const Rank me_;
  const Manner manner_;
  const bool in_place_;
  const Side sent_, received_;
  std::vector<int> input_, output_;
  std::vector<int> input_before_, output_before_;
  KeptArrays kept_;
};

// The whole of it: makes the call, and expects that all is well.
void expect_call(const Form& form, const Task& task, Rank me, const Manner& manner = {});

}  // namespace espalier
