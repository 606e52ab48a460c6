// SPDX-License-Identifier: Apache-2.0
// By which routes the blocks of a rank go to its neighbours, and come from them. Both ends of a message know whether it
// goes over NICs of ours: by its length, and by where they are. By which of these, only the sender knows.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "halo/exchange.hpp"
#include "halo/travel/part.hpp"
#include "mpi/call/packed_blocks.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/neighbours/neighbourhood.hpp"

namespace espalier {

struct HaloRoutes {
  std::vector<Path> to, from;   // by place; over_mpi: none of our NICs
  std::vector<int> order;       // of the places, as they are sent
  std::vector<int> turns_to;    // by place: how many blocks go to the same rank before that one, as they meet,
  std::vector<int> turns_from;  // and come from there
};

// Of rank `me`, who takes part with these blocks.
[[nodiscard]] halo::Part part_of(Rank me, const Neighbourhood& neighbourhood, const HaloRoutes& routes,
                                 const UserSides& sides);

// A number for the host of a rank of the communicator, which has joined.
[[nodiscard]] int host_of(const Communicator& communicator, Rank rank);
// Whether what goes from one of them to the other one may go over NICs of ours. Nobody is anywhere.
[[nodiscard]] bool are_apart(const Communicator& communicator, Rank one, Rank other);

// What a block of this many bytes comes by, from a rank that is apart from this one or not. `least`: for less, NICs of
// ours gain nothing.
[[nodiscard]] Path path_from(bool are_apart, std::size_t bytes, std::size_t least);

// Puts, and whose they are: by number, the place of the block (or leg) if it is this rank's; otherwise not_mine.
class NumberedPuts {
 public:
  static constexpr int not_mine = -1;

  halo::Exchange exchange;
  std::vector<int> places;

  // Its direction is found here: a node numbers its puts as they come up. So all nodes of a stencil, each of which
  // names its neighbours in the same order, number directions alike. On rails no two puts share a link but a NIC's, so
  // each has a direction of its own.
  void add(halo::Put put, int place);

 private:
  std::map<int, int> directions_;  // by sending node: how many there are
};

// Finds by which NICs this rank sends its blocks, of which there are this many, and in which order; what is not among
// the puts goes past them, after those that are.
std::string share_out(const NumberedPuts& puts, std::string_view packer, const halo::Engines& nics, int blocks,
                      HaloRoutes& routes);

inline constexpr std::string_view packer_by_itself = "auto", packer_of_mpi = "native", default_packer = "even";
inline constexpr std::string_view aggregation_by_itself = "auto", never_aggregated = "never",
                                  always_aggregated = "always";
}  // namespace espalier
