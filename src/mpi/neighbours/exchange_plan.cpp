// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/exchange_plan.hpp"

#include <algorithm>
#include <map>

#include "halo/travel/part_of_travel.hpp"
#include "mpi/call/reasons.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/job/log_about.hpp"
#include "mpi/job/nics.hpp"
#include "mpi/job/short_messages.hpp"

namespace espalier {

namespace {

class Planning {
 public:
  Planning(const Communicator& communicator, const AgreedExchange& agreed)
      : communicator_(communicator), job_(communicator.job()), agreed_(agreed) {}

  [[nodiscard]] ExchangePlan plan(const Neighbourhood& mine, const NeighbourBlocks& blocks, MeetingOrder meeting) {
    plan_.fits_neighbours = find_own_places(mine, blocks.sides(), turns_of(mine.from, meeting));
    find_travel();
    decide();
    if (plan_.is_ours && plan_.fits_neighbours) share_out();
    log_plan();
    return std::move(plan_);
  }

 private:
  void log_plan() const {
    const char* const by = plan_.is_ours ? plan_.packer.c_str() : "the native MPI";
    if (communicator_.rank() == 0) {
      log_about_here(job_, Topic::halo, "%zu messages among %d ranks go by %s: %s", agreed_.messages.size(),
                     communicator_.size(), by, plan_.reason);
    }
    log_about(job_, Topic::halo, Level::trace, "%zu messages are sent by this rank, %zu come",
              traveller_.place_in_input.size(), agreed_.to_here.size());
  }

  // Whether what others send here is as long as what is expected from them: the MPI asks for that, but does not look.
  [[nodiscard]] bool find_own_places(const Neighbourhood& mine, const UserSides& sides, const std::vector<int>& turns) {
    traveller_.me = communicator_.rank();
    traveller_.inputs = static_cast<int>(mine.to.size());
    traveller_.outputs = static_cast<int>(mine.from.size());
    traveller_.place_in_input = agreed_.place_in_input;
    traveller_.place_in_output.assign(agreed_.messages.size(), -1);
    std::size_t met = 0;
    for (std::size_t k = 0; k < mine.from.size(); ++k) {
      const std::size_t bytes = sides.output.blocks[k].bytes();
      if (bytes == 0) continue;
      const auto found = agreed_.to_here.find({mine.from[k], turns[k]});
      if (found == agreed_.to_here.end()) return false;
      const auto number = static_cast<std::size_t>(found->second);
      if (agreed_.messages[number].bytes != bytes) return false;
      traveller_.place_in_output[number] = static_cast<int>(k);
      ++met;
    }
    return met == agreed_.to_here.size();
  }

  void find_travel() {
    std::vector<int> hosts;
    for (Rank rank = 0; rank < communicator_.size(); ++rank) hosts.push_back(host_of(communicator_, rank));
    travel_ = halo::travel_of(agreed_.messages, hosts, {});
    const halo::Aggregation aggregation = this->aggregation(hosts);
    if (aggregation == halo::Aggregation{}) return;
    halo::Travel together = halo::travel_of(agreed_.messages, hosts, aggregation);
    plan_.is_aggregated = halo::channels_of(together) <= max_channels &&
                          halo::legs_between_hosts(together, hosts) < halo::legs_between_hosts(travel_, hosts) &&
                          !are_better_apart(together, hosts);
    if (plan_.is_aggregated) travel_ = std::move(together);
  }

  // An MPI that uses all NICs spreads messages over them, but not one that was made of a few: unless it is so long that
  // it goes by NICs of ours, that costs more than fewer messages gain.
  [[nodiscard]] bool are_better_apart(const halo::Travel& together, const std::vector<int>& hosts) const {
    constexpr int few = 8;
    if (job_.nic_use != NicUse::all || agreed_.nics < 2 || agreed_.aggregation == always_aggregated) return false;
    if (halo::sends_once(together) || goes_by_nics(longest_of(together))) return false;
    const bool are_long = std::ranges::any_of(together.legs, [&](const halo::Leg& leg) {
      return leg.messages.size() > 1 && is_far(leg) && bytes_of(leg) >= shortest_among_others(job_);
    });
    return are_long && few * halo::legs_between_hosts(together, hosts) > halo::legs_between_hosts(travel_, hosts);
  }

  [[nodiscard]] halo::Aggregation aggregation(const std::vector<int>& hosts) const {
    if (agreed_.aggregation == never_aggregated) return {};
    if (agreed_.aggregation == always_aggregated) return halo::full_aggregation;
    halo::MessageCosts costs;
    if (job_.machine && job_.machine->nic_bytes_per_second > 0)
      costs.host_rate = job_.machine->nic_bytes_per_second * agreed_.nics;
    return halo::aggregation_for(agreed_.messages, hosts, costs);
  }

  void decide() {
    const bool is_asked_for = agreed_.packer != packer_by_itself || job_.transports == Transports::fabric;
    const std::size_t longest = longest_of(travel_);
    plan_.packer = agreed_.packer == packer_by_itself ? std::string(default_packer) : agreed_.packer;
    if (halo::channels_of(travel_) > max_channels) {
      plan_.reason = why::too_many;
    } else if (longest == 0) {
      plan_.reason = why::nothing_to_send;
    } else if (is_asked_for) {
      plan_.is_ours = uses_nics_ = true;
      plan_.reason = why::asked_for;
    } else if (goes_by_nics(longest)) {
      plan_.is_ours = uses_nics_ = true;
      plan_.reason = why::several_nics;
    } else if (plan_.is_aggregated) {
      plan_.is_ours = true;
      plan_.reason = why::aggregated;
    } else {
      plan_.reason = agreed_.nics < 2 ? why::one_nic : why::too_short;
    }
  }

  // Of an exchange whose longest message between hosts has this many bytes.
  [[nodiscard]] bool goes_by_nics(std::size_t longest) const {
    return agreed_.nics > 1 && longest >= shortest_for_nics(job_);
  }
  [[nodiscard]] bool is_far(const halo::Leg& leg) const { return are_apart(communicator_, leg.from, leg.to); }
  [[nodiscard]] std::size_t longest_of(const halo::Travel& travel) const {
    std::size_t longest = 0;
    for (const halo::Leg& leg : travel.legs) {
      if (is_far(leg)) longest = std::max(longest, bytes_of(leg));
    }
    return longest;
  }
  [[nodiscard]] std::size_t bytes_of(const halo::Leg& leg) const {
    std::size_t bytes = 0;
    for (const int number : leg.messages) bytes += agreed_.messages[static_cast<std::size_t>(number)].bytes;
    return bytes;
  }
  [[nodiscard]] const halo::Leg& leg(int number) const { return travel_.legs[static_cast<std::size_t>(number)]; }
  [[nodiscard]] Path& path(int number) { return traveller_.paths[static_cast<std::size_t>(number)]; }

  void share_out() {
    find_paths();
    NumberedPuts puts;
    std::vector<int> own_legs;
    find_puts(puts, own_legs);
    HaloRoutes routes;
    halo::Engines nics = nics_of(*job_.fabric);
    nics.count = agreed_.nics;
    plan_.packer = espalier::share_out(puts, agreed_.packer, nics, static_cast<int>(own_legs.size()), routes);
    for (const int own : routes.order) {
      const int number = own_legs[static_cast<std::size_t>(own)];
      traveller_.order.push_back(number);
      path(number) = routes.to[static_cast<std::size_t>(own)];
    }
    std::ranges::stable_sort(traveller_.order, {}, [&](int number) { return leg(number).stage; });
    plan_.part = halo::part_of(traveller_, agreed_.messages, travel_);
  }

  // As both ends know them.
  void find_paths() {
    for (const halo::Leg& leg : travel_.legs) {
      traveller_.paths.push_back(path_from(uses_nics_ && is_far(leg), bytes_of(leg), shortest_among_others(job_)));
    }
  }

  // What goes by NICs, of all ranks; and this rank's legs, by whose places among these its own puts are named. Hosts
  // are numbered as they come up.
  void find_puts(NumberedPuts& puts, std::vector<int>& own_legs) {
    std::map<int, int> nodes;
    const auto node_of = [&](Rank rank) {
      return nodes.try_emplace(host_of(communicator_, rank), std::ssize(nodes)).first->second;
    };
    for (int number = 0; number < std::ssize(travel_.legs); ++number) {
      const Rank from = leg(number).from, to = leg(number).to;
      const bool is_own = from == communicator_.rank();
      if (is_own) own_legs.push_back(number);
      if (path(number) == over_mpi) continue;
      const int from_node = node_of(from), to_node = node_of(to);
      puts.add({.from = from_node,
                .to = to_node,
                .bytes = bytes_of(leg(number)),
                .is_diagonal = agreed_.grid.are_diagonal(from, to),
                .links = {}},
               is_own ? static_cast<int>(own_legs.size()) - 1 : NumberedPuts::not_mine);
    }
    puts.exchange.nodes = static_cast<int>(nodes.size());
  }

  const Communicator& communicator_;
  const Job& job_;
  const AgreedExchange& agreed_;
  ExchangePlan plan_;
  bool uses_nics_ = false;  // of ours, for what is long
  halo::Traveller traveller_;
  halo::Travel travel_;
};

}  // namespace

ExchangePlan plan_exchange(const Communicator& communicator, const AgreedExchange& agreed, const Neighbourhood& mine,
                           const NeighbourBlocks& blocks, MeetingOrder meeting) {
  return Planning(communicator, agreed).plan(mine, blocks, meeting);
}

}  // namespace espalier
