// SPDX-License-Identifier: Apache-2.0
// The counts and displacements of a call whose blocks have their own, to tell whether another call has the same ones.
#pragma once

#include <vector>

#include "mpi/call/call.hpp"

namespace espalier {

// Of how many blocks they mean anything.
struct NamedPlaces {
  int sent = 0, received = 0;
};
// By rank `me` of this many.
[[nodiscard]] NamedPlaces named_places(const Call& call, bool in_place, Rank me, Rank size);

class NamedBlocks {
 public:
  // Calls that name the same counts have the same hash.
  [[nodiscard]] static std::uintptr_t hash(const Call& call, const NamedPlaces& places);
  [[nodiscard]] static std::uintptr_t hash(const Call& call, bool in_place, Rank me, Rank size) {
    return hash(call, named_places(call, in_place, me, size));
  }

  // False, and nothing is known, on allocation failure. Takes no more of it than the longest call that was noted here.
  [[nodiscard]] bool note(const Call& call, const NamedPlaces& places) noexcept;
  [[nodiscard]] bool note(const Call& call, bool in_place, Rank me, Rank size) noexcept {
    return note(call, named_places(call, in_place, me, size));
  }

  // Of a call of the same function, with the same root, and in place or not as the one that was noted.
  [[nodiscard]] bool are_in(const Call& call) const;

 private:
  NamedPlaces places_;
  std::vector<std::byte> numbers_;
};

}  // namespace espalier
