// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/named_blocks.hpp"

#include <array>
#include <cstring>
#include <new>
#include <span>

namespace espalier {

namespace {

// The arrays of a call that mean anything, as they lie in memory.
using CallArrays = std::array<std::span<const std::byte>, 8>;

// Blocks of neighbours that have datatypes of their own have places instead.
bool has_places(const Function& function) { return !function.is_collective() && function.is_typed; }
bool has_displacements(const Function& function) {
  return function.is_collective() ? !function.contract->reduces : !function.is_typed;
}

CallArrays arrays_in(const Call& call, const NamedPlaces& places) {
  const bool is_large = call.function->is_large;
  const std::size_t count_bytes = is_large ? sizeof(MPI_Count) : sizeof(int);
  const std::size_t displacement_bytes = !has_displacements(*call.function) ? 0
                                         : is_large                         ? sizeof(MPI_Aint)
                                                                            : sizeof(int);
  const std::size_t place_bytes = has_places(*call.function) ? sizeof(MPI_Aint) : 0;
  const auto array = [](const void* first, int count, std::size_t bytes) {
    return std::span(static_cast<const std::byte*>(first), static_cast<std::size_t>(count) * bytes);
  };
  const auto [sent, received] = places;
  return {array(call.sent.counts, sent, count_bytes),
          array(call.sent.displacements, sent, displacement_bytes),
          array(call.received.counts, received, count_bytes),
          array(call.received.displacements, received, displacement_bytes),
          array(call.sent.types, call.sent.types == nullptr ? 0 : sent, sizeof(MPI_Datatype)),
          array(call.received.types, call.received.types == nullptr ? 0 : received, sizeof(MPI_Datatype)),
          array(call.sent.places, sent, place_bytes),
          array(call.received.places, received, place_bytes)};
}

int places_of(const Contract& contract, BufferPart part, Rank me, Rank size) {
  return part == BufferPart::own ? 0 : held_by(contract, part, me, size, 1).count;
}
int places_sent(const Call& call, bool in_place, Rank me, Rank size) {
  return counts_sent(call, me, in_place) ? places_of(call.contract(), call.contract().input, me, size) : 0;
}
int places_received(const Call& call, bool in_place, Rank me, Rank size) {
  return counts_received(call, me, in_place) ? places_of(call.contract(), call.contract().output, me, size) : 0;
}

template <class Count>
std::uintptr_t mixed(const void* counts, int places) {
  std::uintptr_t hash = 0;
  if (counts == nullptr) return hash;
  for (int place = 0; place < places; ++place) {
    hash = hash * 31 + static_cast<std::uintptr_t>(static_cast<const Count*>(counts)[place]);
  }
  return hash;
}

}  // namespace

NamedPlaces named_places(const Call& call, bool in_place, Rank me, Rank size) {
  return {places_sent(call, in_place, me, size), places_received(call, in_place, me, size)};
}

std::uintptr_t NamedBlocks::hash(const Call& call, const NamedPlaces& places) {
  const auto of = [&](const void* counts, int count) {
    return call.function->is_large ? mixed<MPI_Count>(counts, count) : mixed<int>(counts, count);
  };
  return of(call.sent.counts, places.sent) * 11 + of(call.received.counts, places.received) * 13;
}

bool NamedBlocks::note(const Call& call, const NamedPlaces& places) noexcept try {
  places_ = places;
  numbers_.clear();
  for (const auto array : arrays_in(call, places_)) numbers_.insert(numbers_.end(), array.begin(), array.end());
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

// Arrays may be missing in a call that is wrong.
bool NamedBlocks::are_in(const Call& call) const {
  const std::byte* noted = numbers_.data();
  for (const auto array : arrays_in(call, places_)) {
    if (array.empty()) continue;
    if (array.data() == nullptr || std::memcmp(array.data(), noted, array.size()) != 0) return false;
    noted += array.size();
  }
  return true;
}

}  // namespace espalier
