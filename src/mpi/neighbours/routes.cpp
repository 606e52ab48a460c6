// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/routes.hpp"

#include <algorithm>

#include "halo/lane_packers.hpp"
#include "transport/fabric/wire/pieces.hpp"

namespace espalier {

namespace {

class PartOfRank {
 public:
  PartOfRank(Rank me, const Neighbourhood& neighbourhood, const HaloRoutes& routes, const UserSides& sides)
      : me_(me), neighbourhood_(neighbourhood), routes_(routes), sides_(sides) {}

  // Blocks of no bytes are no messages: both ends know that.
  [[nodiscard]] halo::Part find() const {
    halo::Part part;
    part.inputs = static_cast<int>(sides_.input.blocks.size());
    part.outputs = static_cast<int>(sides_.output.blocks.size());
    for (int place = 0; place < part.outputs; ++place) {
      const auto k = static_cast<std::size_t>(place);
      const Rank peer = neighbourhood_.from[k];
      if (sides_.output.blocks[k].bytes() == 0 || peer == me_) continue;
      const Channel channel = channel_of(routes_.turns_from[k]);
      part.received.push_back(
          {.peer = peer, .blocks = {part.output_at(place)}, .channel = channel, .path = routes_.from[k]});
    }
    for (const int place : routes_.order) {
      const auto k = static_cast<std::size_t>(place);
      const Rank peer = neighbourhood_.to[k];
      if (sides_.input.blocks[k].bytes() == 0) continue;
      if (peer == me_) {
        part.copies.push_back({.from = part.input_at(place), .to = part.output_at(own_place(routes_.turns_to[k]))});
      } else {
        const Channel channel = channel_of(routes_.turns_to[k]);
        part.sent.push_back(
            {.peer = peer, .blocks = {part.input_at(place)}, .channel = channel, .path = routes_.to[k]});
      }
    }
    return part;
  }

 private:
  [[nodiscard]] static Channel channel_of(int turn) { return static_cast<Channel>(turn); }
  // Where what this rank gives itself comes to lie.
  [[nodiscard]] int own_place(int turn) const {
    std::size_t k = 0;
    while (neighbourhood_.from[k] != me_ || routes_.turns_from[k] != turn) ++k;
    return static_cast<int>(k);
  }

  const Rank me_;
  const Neighbourhood& neighbourhood_;
  const HaloRoutes& routes_;
  const UserSides& sides_;
};

// That packer, or the default one for this many puts that it would take longer than they ever gain. Nobody has asked
// for a comparison of all: that takes tens of milliseconds at most.
std::string_view affordable(std::string_view packer, const halo::Exchange& exchange) {
  constexpr std::size_t many = 4096, many_to_search = 256, many_to_compare = 2048;
  const std::size_t puts = exchange.puts.size();
  if (packer == default_packer || packer == "striped") return packer;
  if (packer == packer_by_itself)
    return puts * static_cast<std::size_t>(exchange.nodes) <= many_to_compare ? packer : default_packer;
  return puts <= (packer == "fastest" ? many_to_search : many) ? packer : default_packer;
}

static_assert(halo::wire_piece_bytes == longest_in_one_piece);

halo::PackedLanes packed_lanes(const halo::Exchange& exchange, std::string_view packer, const halo::Engines& nics) {
  const std::string_view taken = packer == packer_by_itself ? default_packer : packer;
  if (exchange.puts.empty()) return {.packer = std::string(taken), .lanes = {}};
  if (packer == "fastest") return halo::fastest_lanes(exchange, nics, halo::wire_piece_bytes);
  if (packer == packer_by_itself) return halo::quickest_lanes(exchange, nics, halo::wire_piece_bytes);
  return {.packer = std::string(taken), .lanes = *halo::lanes_by(packer, exchange, nics, halo::wire_piece_bytes)};
}

}  // namespace

halo::Part part_of(Rank me, const Neighbourhood& neighbourhood, const HaloRoutes& routes, const UserSides& sides) {
  return PartOfRank(me, neighbourhood, routes, sides).find();
}

int host_of(const Communicator& communicator, Rank rank) {
  const Rank in_world = communicator.peers().world_ranks[rank];
  const RankNumbers& hosts = communicator.job().host_of;
  return hosts.empty() ? in_world : hosts[static_cast<std::size_t>(in_world)];
}

bool are_apart(const Communicator& communicator, Rank one, Rank other) {
  if (one == MPI_PROC_NULL || other == MPI_PROC_NULL || one == other) return false;
  return !communicator.job().hosts_talk_by_mpi || host_of(communicator, one) != host_of(communicator, other);
}

Path path_from(bool are_apart, std::size_t bytes, std::size_t least) {
  return are_apart && bytes >= least ? by_all_in_turn : over_mpi;
}

void NumberedPuts::add(halo::Put put, int place) {
  put.direction = directions_[put.from]++;
  exchange.puts.push_back(std::move(put));
  places.push_back(place);
}

std::string share_out(const NumberedPuts& puts, std::string_view packer, const halo::Engines& nics, int blocks,
                      HaloRoutes& routes) {
  routes.to.assign(static_cast<std::size_t>(blocks), over_mpi);
  routes.order.clear();
  const auto [taken, lanes] = packed_lanes(puts.exchange, affordable(packer, puts.exchange), nics);
  for (const int number : lanes.order) {
    const int place = puts.places[static_cast<std::size_t>(number)];
    if (place == NumberedPuts::not_mine) continue;
    const int lane = lanes.of_puts[static_cast<std::size_t>(number)];
    routes.to[static_cast<std::size_t>(place)] = lane == halo::Lanes::all ? by_all_in_turn : only_by(lane);
    routes.order.push_back(place);
  }
  for (int place = 0; place < blocks; ++place) {
    if (routes.to[static_cast<std::size_t>(place)] == over_mpi) routes.order.push_back(place);
  }
  return taken;
}

}  // namespace espalier
