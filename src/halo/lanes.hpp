// SPDX-License-Identifier: Apache-2.0
// Puts distributed among the NICs of their nodes, where the k-th NIC of a node reaches the k-th of every other one: so
// an engine of the packers stands for both.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halo/exchange.hpp"

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

// By name: "even", "striped" (all over all NICs), or a packer of packers.hpp or fastest.hpp by its sending engines:
// "bottomleft(4)", "fastest"; of which k counts for no more than there are NICs. Nothing: there is no such one.
[[nodiscard]] std::optional<Lanes> lanes_by(std::string_view packer, const Exchange& exchange, const Engines& nics,
                                            std::size_t piece_bytes);
[[nodiscard]] std::vector<std::string> lane_packers();

// Until the fullest NIC of any node has sent, or received, its bytes: no exchange is faster.
[[nodiscard]] double fullest_nic(const Lanes& lanes, const Exchange& exchange, const Engines& nics);
// The same if all NICs of each node shared its bytes evenly.
[[nodiscard]] double even_share(const Exchange& exchange, const Engines& nics);

}  // namespace espalier::halo
