// SPDX-License-Identifier: Apache-2.0
// MPI_X_c over an MPI that has only MPI_X: programs that look for the large form find ours.
#pragma once

#include <climits>
#include <vector>

#include "mpi/calls/call.hpp"
#include "transport/mpi/large_type.hpp"

namespace espalier {

// Whether an int holds it. What is negative is wrong, and stays so.
[[nodiscard]] inline bool fits_int(std::int64_t number) { return number <= INT_MAX && number >= INT_MIN; }

// Wrong arguments are the native function's to refuse, so it gets them as they are: their counts fit then.
[[nodiscard]] inline bool is_refused(const CallBlocks& said, MPI_Comm comm) {
  return said.type == MPI_DATATYPE_NULL || comm == MPI_COMM_NULL || said.count < 0;
}
[[nodiscard]] inline CallBlocks refused(CallBlocks said) {
  said.count = said.count < 0 ? -1 : said.count > INT_MAX ? INT_MAX : said.count;
  return said;
}

[[nodiscard]] inline Countable countable(const Native& mpi, const CallBlocks& said, MPI_Comm comm) {
  return is_refused(said, comm) ? Countable(mpi, refused(said).count, said.type)
                                : Countable(mpi, said.count, said.type);
}

// How many ranks a call on that communicator has blocks for.
[[nodiscard]] int ranks_addressed(const Native& mpi, MPI_Comm comm);

// A reduction works element by element, so one of too many elements is several of fewer; returns an MPI code. `native`
// takes a call whose counts fit an int.
[[nodiscard]] int reduce_in_parts(const Native& mpi, const Call& call, int (*native)(const Native&, const Call&));

// A call that names its data once and cannot be done in parts: one count has to fit an int.
[[nodiscard]] int call_narrowed(const Native& mpi, const Call& call, int (*native)(const Native&, const Call&));

// Numbers for each rank as ints, if all of them fit.
struct Narrowed {
  std::vector<int> counts, displacements;
  bool fits = true;
  Narrowed(const CallBlocks& said, int places);
};

// What is raised where a count does not fit and the MPI has no large form; and where it has no such function at all.
[[nodiscard]] int raise_too_large(const Native& mpi, const Call& call);
[[nodiscard]] int raise_unsupported(const Native& mpi, const Call& call);

}  // namespace espalier
