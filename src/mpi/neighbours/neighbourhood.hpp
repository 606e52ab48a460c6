// SPDX-License-Identifier: Apache-2.0
// Whom a rank of a topology of the MPI's sends to and receives from, and which of their blocks meet.
// (MPI standard 4.1, section 8.6.)
#pragma once

#include <vector>

#include "core/types.hpp"
#include "native/native.hpp"
#include "report/statistics.hpp"

namespace espalier {

// By place of the blocks; MPI_PROC_NULL where there is nobody.
struct Neighbourhood {
  int kind = MPI_UNDEFINED;  // as MPI_Topo_test has it
  std::vector<Rank> to, from;
};

// Of this rank; local. Returns an MPI code, and nobody where there is no topology.
[[nodiscard]] int find_neighbourhood(const Native& mpi, MPI_Comm comm, Neighbourhood& found);

// Where two ranks are neighbours several times, which of the blocks that one sends the other one receives where.
// Libraries differ in it, and so do the forms of one library's calls.
enum class MeetingOrder : std::uint8_t {
  unknown,
  in_order,      // the first with the first
  reversed,      // the first with the last
  by_dimension,  // what is sent down in a dimension with what is received from above, and so on
};

// As the native MPI does it in a topology of that kind, in calls of that form: it is asked, once. `alone`: a
// communicator of this process alone, which nobody else uses meanwhile. From any thread.
[[nodiscard]] MeetingOrder meeting_of(const Native& mpi, MPI_Comm alone, int kind, CallForm form);

// For each place, how many blocks of that peer's meet others before that one does. At most this many set messages
// between two ranks apart.
[[nodiscard]] std::vector<int> turns_of(const std::vector<Rank>& peers, MeetingOrder meeting);

}  // namespace espalier
