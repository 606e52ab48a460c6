// SPDX-License-Identifier: Apache-2.0
// A collective call whose result every rank can tell beforehand, by the contract: of any function, in any form.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "shared/collective_forms.hpp"
#include "shared/member.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/spread.hpp"
#include "support/task.hpp"

namespace espalier::apps {

// What is said of the blocks in a buffer, in the numbers that the form wants.
class SaidBlocks {
 public:
  SaidBlocks(const Side& side, const Function& function, MPI_Datatype type);
  SaidBlocks(const SaidBlocks&) = delete;
  SaidBlocks& operator=(const SaidBlocks&) = delete;

  [[nodiscard]] CallBlocks said() const;

 private:
  const Function& function_;
  const MPI_Datatype type_;
  const std::vector<int> counts_, displacements_;
  const std::vector<MPI_Count> large_counts_;
  const std::vector<MPI_Aint> large_displacements_;
  const std::vector<MPI_Datatype> types_;
};

class KnownCall {
 public:
  // All ranks name equal forms, roots, counts and numbers, from which the values follow. How its data lie in memory,
  // and whether a root gives in place, is each rank's own business.
  struct Wish {
    const Form& form;
    std::uint64_t number = 0;
    int root = 0;
    int count = 0;  // elements of each block; of uneven ones about the largest
    bool in_place = false;
    bool derived_types = false;
    MPI_Op op = MPI_SUM;  // or one that does the same
  };
  // A wish that follows from the number. No block is longer than `max_elements`; most are short.
  [[nodiscard]] static Wish wish(const Member& member, Kind kind, std::uint64_t number, int max_elements);

  KnownCall(const Member& member, const Wish& wish);

  // The call, of the functions that the program's calls reach or of others. Returns what the MPI does.
  [[nodiscard]] int make(MPI_Request* request = nullptr, const Native& functions = called_mpi());
  // The call as it would be made.
  [[nodiscard]] Call call(MPI_Request* request = nullptr);
  // Other values, for another start of a persistent call.
  void refill(std::uint64_t number);
  // The MPI still knows the datatypes of a call that is under way.
  void free_types();

  // After the call: says what is wrong.
  void check() const;
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const Wish& wish() const { return wish_; }
  // Whether all ranks know that nothing is moved.
  [[nodiscard]] bool is_empty() const;

 private:
  [[nodiscard]] bool gives_in_output() const;
  [[nodiscard]] bool gets_output() const;
  void put_input();
  [[nodiscard]] Values expected_output() const;

  const Member& member_;
  Wish wish_;
  const Task task_;
  const bool in_place_, stays_;
  const Side sent_, received_;
  Spread sent_spread_, received_spread_;
  const SaidBlocks says_sent_, says_received_;
  Values input_, output_, input_before_, output_before_;
};

}  // namespace espalier::apps
