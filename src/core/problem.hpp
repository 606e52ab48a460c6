// SPDX-License-Identifier: Apache-2.0
// What one call asks for, in terms that are equal on all ranks, and whom it concerns.
#pragma once

#include <array>
#include <string_view>

#include "core/types.hpp"

namespace espalier {

// How freely the operands of a reduction may be rearranged.
enum class Arithmetic : std::uint8_t {
  exact,        // any order and any grouping gives the same bits (integers, logical, bitwise)
  commutative,  // any order is allowed, but it shows in the bits (floating point, user operations)
  rank_order,   // only grouping is free: the operands must stand in rank order (non-commutative)
};
// As files, reports and commands call them.
inline constexpr std::array<std::string_view, 3> arithmetic_names = {"exact", "commutative", "rank_order"};
[[nodiscard]] constexpr std::string_view name_of(Arithmetic arithmetic) {
  return arithmetic_names[static_cast<std::size_t>(arithmetic)];
}

// Equal on all ranks: every decision is a function of it. Where a rank's input lies is its own business.
struct Problem {
  Collective collective = Collective::barrier;
  Rank root = 0;                  // 0 for a collective without a root
  std::size_t count = 0;          // elements of the whole message; of each block, where the contract has blocks
  std::size_t element_bytes = 1;  // of one element on the wire; 1 for a broadcast: it speaks of bytes
  Arithmetic arithmetic = Arithmetic::exact;
  bool is_uneven = false;  // the blocks have sizes of their own; `count` is what all ranks know of them: the mean, or 0
  bool by_kernel = false;  // of a reduction: Espalier computes it, and not the MPI

  [[nodiscard]] std::size_t bytes() const { return count * element_bytes; }
  friend bool operator==(const Problem&, const Problem&) = default;
};

class Network;      // topology/network.hpp
class RanksByNode;  // topology/ranks_by_node.hpp
struct Placement;   // memory/placement.hpp

// What is known of the communicator.
struct Shape {
  Rank size = 1;
  // All of these outlive all that is made from this; null: not known.
  const Network* network = nullptr;      // how its ranks are joined, as messages of the default transport go
  const RanksByNode* by_node = nullptr;  // which of them share a node, where no network says so
  const Placement* placement = nullptr;  // where they run: what was learnt is kept by it
  Transports transports = Transports::mpi;
  bool in_memory = false;                   // messages of ours go through memory that all its ranks share
  bool is_crowded = false;                  // there are more ranks on the node than processors
  bool mpi_yields = false;                  // the native MPI leaves its processor to others while it waits there
  const Network* fabric_network = nullptr;  // how messages over the fabric go, where there are other ones, too

  [[nodiscard]] Transport default_transport() const {
    return transports == Transports::fabric ? Transport::fabric : Transport::mpi;
  }
  // As messages of that transport see it.
  [[nodiscard]] Shape over(Transport transport) const {
    Shape shape = *this;
    if (transport == Transport::fabric && fabric_network != nullptr) shape.network = fabric_network;
    return shape;
  }
};

}  // namespace espalier
