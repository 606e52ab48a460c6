// SPDX-License-Identifier: Apache-2.0
// What the ranks of a communicator agree on once for all its blocking and nonblocking exchanges with neighbours:
// whether those are ours. No call talks about it again, as no rank knows how much others have to say to each other.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mpi/call/packed_blocks.hpp"
#include "mpi/call/report_key.hpp"
#include "mpi/neighbours/neighbourhood.hpp"
#include "mpi/neighbours/routes.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

struct NeighbourMeeting {
  struct OfForm {
    bool is_ours = false;
    std::vector<int> turns_from;
  };

  const char* reason = "";      // static text: why exchanges are ours
  std::string packer;           // by which a rank shares out what it sends
  halo::Engines nics;           // as many as all ranks have
  std::size_t least_bytes = 0;  // of what goes over them
  Neighbourhood neighbourhood;
  std::vector<int> turns_to;                 // as HaloRoutes has them
  std::vector<char> is_far_to, is_far_from;  // by place: what is long goes over NICs
  std::vector<char> is_diagonal_to;          // by place: two or more of its coordinates differ from this rank's
  std::vector<int> hosts_to;                 // of whom it sends to, numbered from 1; this rank's own is 0
  int rank_on_host = 0, ranks_on_host = 1;
  std::array<OfForm, 2> forms;  // blocking and nonblocking

  [[nodiscard]] const OfForm& of(CallForm form) const { return forms[form == CallForm::blocking ? 0 : 1]; }
  // Of how many blocks the arrays of a call mean anything.
  [[nodiscard]] NamedPlaces named_places(const Call& call) const {
    return {call.sent.counts != nullptr ? static_cast<int>(neighbourhood.to.size()) : 0,
            call.received.counts != nullptr ? static_cast<int>(neighbourhood.from.size()) : 0};
  }
  // Whether the buffers may be what they were in a call that was right. If not, it is to be looked at.
  [[nodiscard]] bool has_buffers(const Call& call) const {
    return is_buffer(call, call.input, neighbourhood.to) && is_buffer(call, call.output, neighbourhood.from);
  }

 private:
  [[nodiscard]] static bool is_buffer(const Call& call, const void* buffer, const std::vector<Rank>& peers) {
    if (buffer == MPI_IN_PLACE) return false;
    return buffer != MPI_BOTTOM || call.function->is_typed || peers.empty();
  }
};

// All ranks of the communicator arrive at the same answer, which stays: `neighbours` or `neighbours_refused` of the
// communicator. Collective at the first time. Returns an MPI code: that of a native call on the application's
// communicator, whose error handler has had its say.
[[nodiscard]] int meet_neighbours(PreparedCommunicator& communicator, std::string_view collective);

// Of a call of that form, by what the ranks have agreed on: why it is the native MPI's, on all of them; null: it is
// ours.
[[nodiscard]] const char* reason_for_native(const PreparedCommunicator& communicator, CallForm form);
// What it runs as then.
[[nodiscard]] inline RanAs ran_as(const NeighbourMeeting& meeting) {
  return {.choice = {.reason = meeting.reason}, .by = meeting.packer};
}

// How a rank's blocks travel in a call of that form, by their bytes alone. Throws on allocation failure.
[[nodiscard]] HaloRoutes routes_of_call(const NeighbourMeeting& meeting, const UserSides& sides, CallForm form);

}  // namespace espalier
