// SPDX-License-Identifier: Apache-2.0
// Reductions and copies by the native MPI, for operations and datatypes that we have no kernel for.
#pragma once

#include <utility>

#include "engine/call.hpp"
#include "engine/scratch.hpp"
#include "mpi/types/type_facts.hpp"
#include "transport/mpi/mpi_port.hpp"

namespace espalier {

// Copies `count` elements of `from_type` to as much data of `to_type`, whatever their layouts, and touches no gaps: a
// message to oneself. `self_tag` must not be used by another thread meanwhile.
struct SelfCopy {
  const Native* mpi = nullptr;
  MPI_Comm traffic = MPI_COMM_NULL;
  Rank world_rank = 0;
  int self_tag = 0;

  [[nodiscard]] int operator()(void* to, MPI_Count to_count, MPI_Datatype to_type, const void* from,
                               MPI_Count from_count, MPI_Datatype from_type) const;
};

class NativeArithmetic {
 public:
  struct Operands {
    MPI_Datatype type = MPI_DATATYPE_NULL;  // as the operation wants it
    MPI_Op op = MPI_OP_NULL;
    ElementLayout layout;
    Wire wire;                  // the same elements as messages
    bool copies_whole = false;  // whatever lies in gaps may be copied along
    SelfCopy self_copy;
  };

  explicit NativeArithmetic(const Operands& setup) : setup_(setup) {}
  NativeArithmetic(const NativeArithmetic&) = delete;
  NativeArithmetic& operator=(const NativeArithmetic&) = delete;

  // Refers to this object.
  [[nodiscard]] Elements elements() const;

  // The code of the first native call that failed since this was last asked.
  [[nodiscard]] int take_error() { return std::exchange(error_, MPI_SUCCESS); }

 private:
  void reduce(std::byte* target, const std::byte* left, const std::byte* right, std::size_t elements);
  void reduce_into_right(const std::byte* left, std::byte* right, std::size_t elements);
  void copy(std::byte* target, const std::byte* source, std::size_t elements);
  [[nodiscard]] std::byte* temporary(std::size_t elements);
  void note(int status) {
    if (error_ == MPI_SUCCESS) error_ = status;
  }

  const Operands setup_;
  int error_ = MPI_SUCCESS;
  std::size_t temporary_elements_ = 0;
  Scratch temporary_{0};
};

}  // namespace espalier
