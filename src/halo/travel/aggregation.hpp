// SPDX-License-Identifier: Apache-2.0
// How the messages of an exchange travel. Short ones from one host to another go together: if several ranks share a
// host, one of them gathers them, and one there scatters them. And what several ranks of a host are given alike goes
// there once, and one of them hands it on. (After MPI Advance: Bienz, Collom et al., "Optimizing neighborhood
// collectives", 2023, "three-step" aggregation and de-duplication; here under the standard's own names.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier::halo {

// What a rank gives another one. Those of one sender with one datum have the same bytes.
struct RankMessage {
  Rank from = no_rank, to = no_rank;
  std::size_t bytes = 0;
  int datum = 0;
};

// A message as it travels, or a part of its route; in it, those with these numbers.
struct Leg {
  // One leg waits for those that come before it in that order.
  enum class Stage : std::uint8_t { first, between_hosts, last };
  Rank from = no_rank, to = no_rank;
  std::vector<int> messages;
  Channel channel = 0;  // distinguishes those between two ranks
  Stage stage = Stage::first;
};

struct Travel {
  std::vector<Leg> legs;        // of all ranks; by stage, and by their first messages
  std::vector<int> carried_by;  // by message: which one's bytes it gets, itself as a rule
};

struct Aggregation {
  std::size_t longest = 0;  // of messages that travel together; 0: none do
  bool sends_once = false;  // what several ranks of a host are given alike
  friend bool operator==(const Aggregation&, const Aggregation&) = default;
};

// `hosts`: of each rank. All ranks that know the same messages arrive at the same.
[[nodiscard]] Travel travel_of(std::span<const RankMessage> messages, std::span<const int> hosts,
                               const Aggregation& aggregation);

// What messages cost, in seconds; guesses, of which only the relations count.
struct MessageCosts {
  double between_hosts = 5e-6, within_host = 1e-6;  // of a message at each end
  double byte_copied = 0.4e-9;                      // within a host, or to and from where several messages are one
  double host_rate = 1e9;                           // bytes a second, over all NICs of a host
};
// Until the busiest rank and the NICs of the fullest host are through with it.
[[nodiscard]] double time_of(const Travel& travel, std::span<const RankMessage> messages, std::span<const int> hosts,
                             const MessageCosts& costs);

// The most that goes together, where that gains.
inline constexpr Aggregation full_aggregation{.longest = std::size_t{16} << 10, .sends_once = true};
// The quickest one; none, where it would gain little, or looking for it would take longer than it ever gains.
[[nodiscard]] Aggregation aggregation_for(std::span<const RankMessage> messages, std::span<const int> hosts,
                                          const MessageCosts& costs);

// Whether what is alike is sent once.
[[nodiscard]] bool sends_once(const Travel& travel);
[[nodiscard]] int legs_between_hosts(const Travel& travel, std::span<const int> hosts);
// How many channels there must be.
[[nodiscard]] int channels_of(const Travel& travel);

}  // namespace espalier::halo
