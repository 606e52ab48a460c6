// SPDX-License-Identifier: Apache-2.0
// Call -> Problem: what a call asks for, in terms that are equal on all ranks, or why it is not for us.
#pragma once

#include <optional>

#include "core/problem.hpp"
#include "mpi/call.hpp"
#include "mpi/handles.hpp"
#include "mpi/type_facts.hpp"
#include "transport/mpi/native.hpp"

namespace espalier {

// How a rank's buffers stand to each other.
enum class BufferUse : std::uint8_t { separate, in_place, wrong };

// `tolerates_aliases`: the MPI accepts equal addresses for input and output, and programs have come to rely on it.
[[nodiscard]] inline BufferUse use_of_buffers(const Call& call, Rank me, bool tolerates_aliases) {
  if (call.collective == Collective::barrier) return BufferUse::separate;
  if (call.collective == Collective::bcast) return BufferUse::in_place;
  if (call.collective == Collective::reduce && call.root != me) {
    return call.input == MPI_IN_PLACE ? BufferUse::wrong : BufferUse::separate;
  }
  if (call.output == MPI_IN_PLACE) return BufferUse::wrong;
  if (call.input == MPI_IN_PLACE) return BufferUse::in_place;
  if (call.input != call.output) return BufferUse::separate;
  return tolerates_aliases ? BufferUse::in_place : BufferUse::wrong;
}

// Whether the buffers that this rank needs for elements of a predefined datatype are there at all.
[[nodiscard]] inline bool has_buffers(const Call& call, Rank me) {
  if (call.collective == Collective::barrier) return true;
  const bool needs_input = call.collective != Collective::bcast;
  const bool needs_output = call.collective != Collective::reduce || call.root == me;
  return (!needs_input || call.input != nullptr) && (!needs_output || call.output != nullptr);
}

// Why a call with wrong arguments goes to the native MPI.
inline constexpr const char* bad_arguments = "bad arguments";

struct Classified {
  const char* unusual = nullptr;  // static text: why the call goes to the native MPI; null: it need not
  Problem problem;
  TypeFacts facts;
  const KnownType* type = nullptr;  // null: a derived datatype
  std::optional<KnownOp> op;        // nothing: an operation of the user, or none
  bool by_handles = false;          // the same handles always mean the same problem
};

[[nodiscard]] Classified classify(const Native& mpi, const Call& call, Rank me, Rank size, BufferUse use);

// Our kernel for such a reduction; null if we have none.
[[nodiscard]] Reduction::Function kernel_of(const Classified& classified);

}  // namespace espalier
