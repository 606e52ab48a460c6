// SPDX-License-Identifier: Apache-2.0
// Puts distributed among the NICs of their nodes, where the k-th NIC of a node reaches the k-th of every other one: so
// an engine of the packers stands for both.
#pragma once

#include <vector>

#include "halo/packing.hpp"

namespace espalier::halo {

struct Lanes {
  static constexpr int all = -1;  // piece by piece over all NICs at once

  std::vector<int> of_puts;  // the NIC of each put, or all
  std::vector<int> order;    // of the puts, as they begin
};

// Sends the most evenly. Puts that share no sender and no receiver keep together, so that at one time a NIC mostly
// receives from one sender; the longest ones first, each such matching by the NIC that is through with it first at all
// ends. If one NIC would still be the last, of the fullest node or of others that have much to do, the longest are sent
// over all of them at once, as far as they have more than one piece of this many bytes.
[[nodiscard]] Lanes even_lanes(const Exchange& exchange, const Engines& nics, std::size_t piece_bytes);

// All over all NICs.
[[nodiscard]] Lanes striped_lanes(const Exchange& exchange, const Engines& nics);
// By the sending engines of a packing, as they begin there.
[[nodiscard]] Lanes lanes_of(const Packing& packing);

// By the model of running_time.hpp, in which a put over all NICs is one on each, by their rates.
[[nodiscard]] double time_of(const Lanes& lanes, const Exchange& exchange, const Engines& nics);

// Until the fullest NIC of any node has sent, or received, its bytes: no exchange is faster.
[[nodiscard]] double fullest_nic(const Lanes& lanes, const Exchange& exchange, const Engines& nics);
// The same if all NICs of each node shared its bytes evenly.
[[nodiscard]] double even_share(const Exchange& exchange, const Engines& nics);

}  // namespace espalier::halo
