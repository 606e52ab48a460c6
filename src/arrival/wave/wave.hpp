// SPDX-License-Identifier: Apache-2.0
// What one broadcast, or reduction, along a tree takes if its ranks arrive at given times: in a model in which a
// transfer takes as long between any two of them, and sums cost nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arrival/wave/place_tree.hpp"
#include "core/arrangement.hpp"

namespace espalier::arrival {

// How a message goes to a rank that has not arrived yet.
enum class Sending : std::uint8_t {
  blocking,     // the sender waits, and with it all whom it sends to later (in a reduction: as nonblocking)
  nonblocking,  // the sender serves the others meanwhile; the transfer begins when the receiver comes
  eager,        // the data lies there when it comes
};

struct Transfer {
  double seconds = 0;       // from its start to when the receiver has all of it
  double busy_seconds = 0;  // until the sender's next transfer can start
  int segments = 1;         // in which the message flows
  Sending sending = Sending::nonblocking;

  // Of the first segment: then the receiver may pass it on.
  [[nodiscard]] double first_seconds() const { return seconds / segments; }
  [[nodiscard]] double first_busy_seconds() const { return busy_seconds / segments; }
};

struct Wave {
  double overall = 0;            // from the first entry to the last exit
  double mean = 0;               // in the call, over all ranks
  std::vector<double> waited;    // by rank: for the first message
  std::vector<double> left;      // by rank: when
  std::vector<double> ready;     // by place: when the first segment was there, or its sum,
  std::vector<double> complete;  // and the last
};

// `arrivals`: by rank, by one clock. `wave` is overwritten; its memory is used again.
void play(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
          const Transfer& transfer, Wave& wave);
[[nodiscard]] Wave play(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
                        const Transfer& transfer);

}  // namespace espalier::arrival
