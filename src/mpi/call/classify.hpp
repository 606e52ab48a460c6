// SPDX-License-Identifier: Apache-2.0
// Call -> Problem: what a call asks for, in terms that are equal on all ranks, or why it is not for us.
#pragma once

#include <optional>
#include <vector>

#include "core/problem.hpp"
#include "mpi/call/call.hpp"
#include "mpi/job/job.hpp"
#include "mpi/types/handles.hpp"

namespace espalier {

// Why a call with wrong arguments goes to the native MPI.
inline constexpr char bad_arguments[] = "bad arguments";  // recognised by its address

// One of the datatypes that a call names.
struct ClassifiedType {
  TypeFacts facts;
  const KnownType* known = nullptr;      // null: a derived datatype; where there are several, that any of them is
  std::optional<MPI_Count> arriving;     // elements of each block that come, where there is room for more
  std::vector<TypeFacts> facts_of_each;  // by place, where blocks have datatypes of their own
};

struct Classified {
  const char* unusual = nullptr;  // static text: why the call goes to the native MPI; null: it need not
  const char* wrong = nullptr;    // static text: what looks wrong about it, where `unusual` is bad_arguments
  Problem problem;
  ClassifiedType sent, received;
  std::optional<KnownOp> op;   // nothing: an operation of the user, or none
  bool in_place = false;       // the input already lies in the output buffer: ranks may differ
  bool shares_memory = false;  // input and output may lie over each other
  bool by_handles = false;     // the same handles and numbers always mean the same problem
};

// By a rank of a communicator of this many.
[[nodiscard]] Classified classify(const Job& job, const Call& call, Rank me, Rank size, BufferUse use);

// Our kernel for such a reduction; null if we have none.
[[nodiscard]] Reduction::Kernel kernel_of(const Classified& classified);

}  // namespace espalier
