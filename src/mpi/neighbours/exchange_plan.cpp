// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/exchange_plan.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "halo/lanes.hpp"
#include "halo/part_of_travel.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/job/short_messages.hpp"
#include "mpi/neighbours/reasons.hpp"

namespace espalier {

namespace {

// What a rank tells the others first.
struct Offer {
  std::int64_t puts = 0;         // -1: it cannot take part
  std::int64_t packer = 0;       // by number: the first rank's counts
  std::int64_t aggregation = 0;  // so does this one
  std::int64_t nics = 0;         // that it has: all use as many as the least of them
};

// And then, of each block that it sends.
struct TalkedPut {
  std::int64_t to = MPI_PROC_NULL;
  std::int64_t bytes = 0;
  std::int64_t datum = 0;  // the first place that has the same bytes
};

// What the first rank wants, by number, as ranks tell each other.
std::vector<std::string> known_packers() {
  std::vector<std::string> names = {std::string(packer_by_itself), std::string(packer_of_mpi)};
  for (std::string& name : halo::lane_packers()) names.push_back(std::move(name));
  return names;
}
const std::vector<std::string> known_aggregations = {"auto", "never", "always"};

std::string wanted(const Native& mpi, MPI_Info info, const char* hint, const std::string& by_setting) {
  std::array<char, 64> value{};
  int has = 0;
  if (info != MPI_INFO_NULL) {
    mpi.Info_get(info, hint, static_cast<int>(value.size()) - 1, value.data(), &has);
  }
  return has != 0 ? value.data() : by_setting;
}

// An unknown hint is none, as MPI has it.
std::int64_t number_in(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  return found != names.end() ? found - names.begin() : 0;
}

bool are_alike(const UserBlock& one, const UserBlock& other) {
  return one.offset == other.offset && one.count == other.count && one.type == other.type;
}

class Agreement {
 public:
  Agreement(const Communicator& communicator, MPI_Comm alone, const Call& call, const Neighbourhood& mine,
            const NeighbourBlocks* blocks, ExchangePlan& plan)
      : communicator_(communicator),
        job_(communicator.job()),
        mpi_(job_.mpi),
        alone_(alone),
        call_(call),
        mine_(mine),
        blocks_(blocks),
        plan_(plan) {}

  [[nodiscard]] int run() {
    const MeetingOrder meeting = meeting_of(mpi_, alone_, mine_.kind, CallForm::persistent);
    if (const int status = hear_offers(meeting != MeetingOrder::unknown); status != MPI_SUCCESS) return status;
    if (std::ranges::any_of(offers_, [](const Offer& offer) { return offer.puts < 0; })) return refuse(why::not_for_us);
    if (const int status = hear_puts(); status != MPI_SUCCESS) return status;
    plan_.fits_neighbours = find_own_places(turns_of(mine_.from, meeting));
    find_travel();
    decide();
    if (plan_.is_ours) share_out();
    return MPI_SUCCESS;
  }

 private:
  [[nodiscard]] int refuse(const char* reason) {
    plan_.reason = reason;
    return MPI_SUCCESS;
  }

  [[nodiscard]] int hear_offers(bool can) {
    can = can && blocks_ != nullptr && blocks_->are_right();
    const Settings& settings = job_.settings;
    const Offer mine{.puts = can ? std::ssize(mine_.to) : -1,
                     .packer = number_in(known_packers(), wanted(mpi_, call_.info, "espalier_packer", settings.packer)),
                     .aggregation = number_in(known_aggregations,
                                              wanted(mpi_, call_.info, "espalier_aggregation", settings.aggregation)),
                     .nics = std::ssize(job_.fabric->lanes())};
    offers_.resize(static_cast<std::size_t>(communicator_.size()));
    return mpi_.Allgather(&mine, sizeof mine, MPI_BYTE, offers_.data(), sizeof mine, MPI_BYTE, communicator_.handle());
  }

  [[nodiscard]] int hear_puts() {
    constexpr int numbers = sizeof(TalkedPut) / sizeof(std::int64_t);
    const std::vector<TalkedPut> mine = own_puts();
    std::vector<int> counts, places;
    int all = 0;
    for (const Offer& offer : offers_) {
      counts.push_back(static_cast<int>(offer.puts) * numbers);
      places.push_back(all);
      all += counts.back();
    }
    std::vector<TalkedPut> heard(static_cast<std::size_t>(all / numbers));
    const int status = mpi_.Allgatherv(mine.data(), static_cast<int>(mine.size()) * numbers, MPI_INT64_T, heard.data(),
                                       counts.data(), places.data(), MPI_INT64_T, communicator_.handle());
    std::size_t next = 0;
    for (Rank from = 0; status == MPI_SUCCESS && from < communicator_.size(); ++from) {
      for (int place = 0; place < offers_[static_cast<std::size_t>(from)].puts; ++place)
        note_put(from, place, heard[next++]);
    }
    return status;
  }

  [[nodiscard]] std::vector<TalkedPut> own_puts() const {
    std::vector<TalkedPut> puts;
    const std::vector<UserBlock>& blocks = blocks_->sides().input.blocks;
    for (std::size_t k = 0; k < mine_.to.size(); ++k) {
      const auto first = std::ranges::find_if(blocks, [&](const UserBlock& one) { return are_alike(one, blocks[k]); });
      puts.push_back({mine_.to[k], static_cast<std::int64_t>(blocks[k].bytes()), first - blocks.begin()});
    }
    return puts;
  }

  // Blocks of no bytes are no messages: both ends know that.
  void note_put(Rank from, int place, const TalkedPut& put) {
    if (put.to == MPI_PROC_NULL) return;
    const auto to = static_cast<Rank>(put.to);
    const int turn = turns_[{from, to}]++;
    if (put.bytes == 0) return;
    const auto number = static_cast<int>(messages_.size());
    messages_.push_back(
        {.from = from, .to = to, .bytes = static_cast<std::size_t>(put.bytes), .datum = static_cast<int>(put.datum)});
    traveller_.place_in_input.push_back(from == communicator_.rank() ? place : -1);
    traveller_.place_in_output.push_back(-1);
    if (to == communicator_.rank()) to_here_[{from, turn}] = number;
  }

  // Whether what others send here is as long as what is expected from them: the MPI asks for that, but does not look.
  [[nodiscard]] bool find_own_places(const std::vector<int>& turns_from) {
    traveller_.me = communicator_.rank();
    traveller_.inputs = static_cast<int>(mine_.to.size());
    traveller_.outputs = static_cast<int>(mine_.from.size());
    for (std::size_t k = 0; k < mine_.from.size(); ++k) {
      const std::size_t bytes = blocks_->sides().output.blocks[k].bytes();
      if (bytes == 0) continue;
      const auto found = to_here_.find({mine_.from[k], turns_from[k]});
      if (found == to_here_.end()) return false;
      const auto number = static_cast<std::size_t>(found->second);
      if (messages_[number].bytes != bytes) return false;
      traveller_.place_in_output[number] = static_cast<int>(k);
      to_here_.erase(found);
    }
    return to_here_.empty();
  }

  void find_travel() {
    std::vector<int> hosts;
    for (Rank rank = 0; rank < communicator_.size(); ++rank) hosts.push_back(host_of(communicator_, rank));
    travel_ = halo::travel_of(messages_, hosts, {});
    const std::string& aggregation = known_aggregations[static_cast<std::size_t>(offers_.front().aggregation)];
    if (aggregation == "never") return;
    const halo::Aggregation best =
        aggregation == "always" ? halo::full_aggregation : halo::aggregation_for(messages_, hosts, costs());
    halo::Travel together = halo::travel_of(messages_, hosts, best);
    if (best == halo::Aggregation{} || together.legs.size() == 0 || halo::channels_of(together) > max_channels) return;
    plan_.is_aggregated = halo::most_between_hosts(together, hosts) < halo::most_between_hosts(travel_, hosts);
    if (plan_.is_aggregated) travel_ = std::move(together);
  }

  [[nodiscard]] halo::MessageCosts costs() const {
    halo::MessageCosts costs;
    if (job_.machine) costs.host_rate = job_.machine->nic_bytes_per_second * nic_count();
    return costs;
  }

  [[nodiscard]] std::size_t bytes_of(const halo::Leg& leg) const {
    std::size_t bytes = 0;
    for (const int number : leg.messages) bytes += messages_[static_cast<std::size_t>(number)].bytes;
    return bytes;
  }

  void decide() {
    const auto packer = static_cast<std::size_t>(offers_.front().packer);
    const bool is_asked_for = packer > 1 || job_.transports == Transports::fabric;
    std::size_t longest = 0;
    for (const halo::Leg& leg : travel_.legs) {
      if (are_apart(communicator_, leg.from, leg.to)) longest = std::max(longest, bytes_of(leg));
    }
    plan_.packer = packer > 1 ? known_packers()[packer] : std::string(usual_packer);
    plan_.is_ours = false;
    if (packer == 1) {
      plan_.reason = why::not_asked_for;
    } else if (halo::channels_of(travel_) > max_channels) {
      plan_.reason = why::too_many;
    } else if (longest == 0) {
      plan_.reason = why::nothing_to_send;
    } else if (is_asked_for) {
      plan_.is_ours = true;
      plan_.reason = why::asked_for;
    } else if (nic_count() > 1 && longest >= shortest_for_nics(job_)) {
      plan_.is_ours = true;
      plan_.reason = why::several_nics;
    } else if (plan_.is_aggregated) {
      plan_.is_ours = true;
      plan_.reason = why::aggregated;
    } else {
      plan_.reason = nic_count() < 2 ? why::one_nic : why::too_short;
    }
  }

  [[nodiscard]] int nic_count() const {
    return static_cast<int>(std::ranges::min_element(offers_, {}, &Offer::nics)->nics);
  }

  // By this rank's number among its legs. Hosts are numbered as they come up.
  [[nodiscard]] NumberedPuts puts_by_nic(const std::vector<int>& own_legs) const {
    NumberedPuts numbered{.exchange = {.nodes = 0, .puts = {}, .directions = {}}, .places = {}};
    std::map<int, int> nodes;
    const auto node_of = [&](Rank rank) {
      return nodes.try_emplace(host_of(communicator_, rank), std::ssize(nodes)).first->second;
    };
    for (int number = 0; number < std::ssize(travel_.legs); ++number) {
      const halo::Leg& leg = travel_.legs[static_cast<std::size_t>(number)];
      const std::size_t bytes = bytes_of(leg);
      if (path_of(leg) == over_mpi) continue;
      const int from_node = node_of(leg.from), to_node = node_of(leg.to);
      const auto own = std::ranges::find(own_legs, number);
      numbered.add({.from = from_node, .to = to_node, .bytes = bytes, .direction = leg.to, .links = {}},
                   own != own_legs.end() ? static_cast<int>(own - own_legs.begin()) : NumberedPuts::not_mine);
    }
    numbered.exchange.nodes = static_cast<int>(nodes.size());
    return numbered;
  }
  // As both ends know it.
  [[nodiscard]] Path path_of(const halo::Leg& leg) const {
    return path_from(are_apart(communicator_, leg.from, leg.to), bytes_of(leg), shortest_among_others(job_));
  }

  void share_out() {
    std::vector<int> own_legs;
    for (int number = 0; number < std::ssize(travel_.legs); ++number) {
      const halo::Leg& leg = travel_.legs[static_cast<std::size_t>(number)];
      if (leg.from == communicator_.rank()) own_legs.push_back(number);
      traveller_.paths.push_back(path_of(leg));
    }
    const NumberedPuts puts = puts_by_nic(own_legs);
    plan_.packer = affordable(plan_.packer, puts.places.size());
    HaloRoutes routes;
    espalier::share_out(puts, plan_.packer, nics_of(job_, nic_count()), static_cast<int>(own_legs.size()), routes);
    for (const int own : routes.order) {
      const int number = own_legs[static_cast<std::size_t>(own)];
      traveller_.order.push_back(number);
      traveller_.paths[static_cast<std::size_t>(number)] = routes.to[static_cast<std::size_t>(own)];
    }
    std::ranges::stable_sort(traveller_.order, {},
                             [&](int number) { return travel_.legs[static_cast<std::size_t>(number)].stage; });
    plan_.part = halo::part_of(traveller_, messages_, travel_);
  }

  const Communicator& communicator_;
  const Job& job_;
  const Native& mpi_;
  const MPI_Comm alone_;
  const Call& call_;
  const Neighbourhood& mine_;
  const NeighbourBlocks* const blocks_;
  ExchangePlan& plan_;
  std::vector<Offer> offers_;                    // by rank
  std::vector<halo::Message> messages_;          // of all, by sender and place
  std::map<std::pair<Rank, Rank>, int> turns_;   // how many blocks go from one rank to another
  std::map<std::pair<Rank, int>, int> to_here_;  // messages, by sender and turn
  halo::Traveller traveller_;
  halo::Travel travel_;
};

}  // namespace

int agree_on_exchange(const Communicator& communicator, MPI_Comm alone, const Call& call, const Neighbourhood& mine,
                      const NeighbourBlocks* blocks, ExchangePlan& plan) {
  return Agreement(communicator, alone, call, mine, blocks, plan).run();
}

int agree(const Communicator& communicator, bool here, bool& everywhere) {
  const int mine = here ? 1 : 0;
  int all = 0;
  const int status = communicator.job().mpi.Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, communicator.handle());
  everywhere = status == MPI_SUCCESS && all != 0;
  return status;
}

}  // namespace espalier
