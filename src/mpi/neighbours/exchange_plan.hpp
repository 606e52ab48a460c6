// SPDX-License-Identifier: Apache-2.0
// How an exchange with neighbours is carried out whose messages are all known to all ranks: which travel together
// (halo/travel/aggregation.hpp), and how they are distributed among the NICs of all hosts (halo/lane_packers.hpp).
#pragma once

#include <string>

#include "mpi/neighbours/agreed_exchange.hpp"
#include "mpi/neighbours/routes.hpp"

namespace espalier {

struct ExchangePlan {
  // Alike on all ranks.
  const char* reason = "";  // static text: why the exchange is ours, or not
  bool is_ours = false;
  std::string packer;  // by which messages were distributed among NICs
  bool is_aggregated = false;
  // This rank's.
  bool fits_neighbours = false;  // what it receives is as long as what is sent there
  halo::Part part;               // if that is so, and the exchange is ours
};

// Local. `meeting`: which blocks of two neighbours meet. Throws on allocation failure.
[[nodiscard]] ExchangePlan plan_exchange(const Communicator& communicator, const AgreedExchange& agreed,
                                         const Neighbourhood& mine, const NeighbourBlocks& blocks,
                                         MeetingOrder meeting);

}  // namespace espalier
