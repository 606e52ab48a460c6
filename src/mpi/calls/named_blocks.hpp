// SPDX-License-Identifier: Apache-2.0
// The counts and displacements of a call whose blocks have their own, to tell whether another call has the same ones.
#pragma once

#include <vector>

#include "mpi/calls/call.hpp"

namespace espalier {

class NamedBlocks {
 public:
  // By rank `me` of so many. Calls that name the same counts have the same hash.
  [[nodiscard]] static std::uintptr_t hash(const Call& call, bool in_place, Rank me, Rank size);

  // False, and nothing is known, for want of memory. Takes no more of it than the longest call that was noted here.
  [[nodiscard]] bool note(const Call& call, bool in_place, Rank me, Rank size) noexcept;

  // Of a call of the same function, with the same root, and in place or not as the one that was noted.
  [[nodiscard]] bool are_in(const Call& call) const;

 private:
  int sent_ = 0, received_ = 0;  // of how many blocks they mean anything
  std::vector<std::byte> numbers_;
};

}  // namespace espalier
