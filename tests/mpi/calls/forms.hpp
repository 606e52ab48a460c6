// SPDX-License-Identifier: Apache-2.0
// Our functions in the place of the MPI's, each called by what a call may say.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fake/rank_of_job.hpp"
#include "support/task.hpp"

namespace espalier {

// Arrays that an MPI may read as long as the request of their call lives.
using KeptArrays = std::vector<std::shared_ptr<void>>;

struct Arguments {
  const void* input = nullptr;
  void* output = nullptr;
  Side sent, received;
  int count = 0;
  int element_bytes = sizeof(int);  // from one to the next
  MPI_Datatype type = MPI_INT;
  MPI_Op op = MPI_SUM;
  int root = 0;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request* request = nullptr;
  KeptArrays* kept = nullptr;

  // The displacements in bytes, and the datatype of each block.
  [[nodiscard]] std::vector<int> in_bytes(std::vector<int> displacements) const {
    for (int& displacement : displacements) displacement *= element_bytes;
    return displacements;
  }
  [[nodiscard]] const MPI_Datatype* types(const Side& side) const {
    return as<MPI_Datatype>(std::vector<int>(side.counts.size(), type));
  }
  [[nodiscard]] const MPI_Aint* places(const Side& side) const { return as<MPI_Aint>(in_bytes(side.displacements)); }

  // An array of numbers as a function wants them.
  template <class Number>
  [[nodiscard]] const Number* as(const std::vector<int>& numbers) const {
    return keep(std::vector<Number>(numbers.begin(), numbers.end()));
  }
  template <class Number>
  [[nodiscard]] const Number* keep(std::vector<Number> numbers) const {
    const auto array = std::make_shared<std::vector<Number>>(std::move(numbers));
    kept->push_back(array);
    return array->data();
  }
};

struct Form {
  const char* name = "";  // the MPI's function
  Collective collective = Collective::barrier;
  int (*call)(const Arguments& with) = nullptr;
  bool is_uneven = false;
};

void PrintTo(const Form& form, std::ostream* out);

// One of ours for each collective, as ESPALIER_ALGORITHM has them.
[[nodiscard]] std::string some_algorithms();

[[nodiscard]] std::span<const Form> blocking_forms();
[[nodiscard]] std::span<const Form> nonblocking_forms();
[[nodiscard]] std::span<const Form> persistent_forms();

// Of functions between neighbours, which do what those of the collective do, since every rank's are all ranks.
[[nodiscard]] std::span<const Form> blocking_neighbour_forms();
[[nodiscard]] std::span<const Form> nonblocking_neighbour_forms();
[[nodiscard]] std::span<const Form> persistent_neighbour_forms();

}  // namespace espalier
