// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/exchange_plan.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "halo/lanes.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/job/short_messages.hpp"

namespace espalier {

namespace {

constexpr char asked_for[] = "asked for";
constexpr char several_nics[] = "several NICs share it";
constexpr char not_asked_for[] = "native as asked for";
constexpr char nothing_to_send[] = "nothing goes from host to host";
constexpr char one_nic[] = "one NIC alone gains nothing";
constexpr char too_short[] = "too short to gain";
constexpr char too_many[] = "too many messages between two ranks";
constexpr char not_for_us[] = "not all ranks can have it";

// What a rank tells the others first.
struct Offer {
  std::int64_t puts = 0;    // -1: it cannot take part
  std::int64_t packer = 0;  // by number: the first rank's counts
  std::int64_t nics = 0;    // that it has: all use as many as the least of them
};

// And then, of each block that it sends.
struct TalkedPut {
  std::int64_t to = MPI_PROC_NULL;
  std::int64_t bytes = 0;
};

struct KnownPut : TalkedPut {
  Rank from = no_rank;
};

constexpr char hint[] = "espalier_packer";
constexpr std::string_view by_itself = "auto", by_the_mpi = "native";

// By number, as ranks tell each other.
std::vector<std::string> known_packers() {
  std::vector<std::string> names = {std::string(by_itself), std::string(by_the_mpi)};
  for (std::string& name : halo::lane_packers()) names.push_back(std::move(name));
  return names;
}

std::string packer_wanted(const Native& mpi, MPI_Info info, const std::string& by_setting) {
  std::array<char, 64> value{};
  int has = 0;
  if (info != MPI_INFO_NULL) {
    mpi.Info_get(info, hint, static_cast<int>(value.size()) - 1, value.data(), &has);
  }
  return has != 0 ? value.data() : by_setting;
}

// An unknown hint is none, as MPI has it.
std::int64_t number_of_packer(const std::string& name) {
  const std::vector<std::string> names = known_packers();
  const auto found = std::ranges::find(names, name);
  return found != names.end() ? found - names.begin() : 0;
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
    const MeetingOrder meeting = meeting_of(mpi_, alone_, mine_.kind);
    if (const int status = hear_offers(meeting != MeetingOrder::unknown); status != MPI_SUCCESS) return status;
    if (std::ranges::any_of(offers_, [](const Offer& offer) { return offer.puts < 0; })) return refuse(not_for_us);
    if (const int status = hear_puts(); status != MPI_SUCCESS) return status;
    plan_.turns_to = turns_of(mine_.to, MeetingOrder::in_order);
    plan_.turns_from = turns_of(mine_.from, meeting);
    plan_.fits_neighbours = fits();
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
    const std::int64_t packer = number_of_packer(packer_wanted(mpi_, call_.info, job_.settings.packer));
    const Offer mine{can ? std::ssize(mine_.to) : -1, packer, std::ssize(job_.fabric->lanes())};
    offers_.resize(static_cast<std::size_t>(communicator_.size()));
    return mpi_.Allgather(&mine, sizeof mine, MPI_BYTE, offers_.data(), sizeof mine, MPI_BYTE, communicator_.handle());
  }

  [[nodiscard]] int hear_puts() {
    std::vector<TalkedPut> mine;
    for (std::size_t k = 0; k < mine_.to.size(); ++k) {
      mine.push_back({mine_.to[k], static_cast<std::int64_t>(blocks_->sides().input.blocks[k].bytes())});
    }
    std::vector<int> counts, places;
    int all = 0;
    for (const Offer& offer : offers_) {
      counts.push_back(static_cast<int>(offer.puts) * 2);
      places.push_back(all);
      all += counts.back();
    }
    std::vector<TalkedPut> heard(static_cast<std::size_t>(all) / 2);
    const int status = mpi_.Allgatherv(mine.data(), static_cast<int>(mine.size()) * 2, MPI_INT64_T, heard.data(),
                                       counts.data(), places.data(), MPI_INT64_T, communicator_.handle());
    Rank from = 0;
    for (std::size_t k = 0; k < heard.size(); ++k) {
      while (static_cast<int>(k) * 2 >= places[static_cast<std::size_t>(from)] + counts[static_cast<std::size_t>(from)])
        ++from;
      puts_.push_back({heard[k], from});
    }
    return status;
  }

  // What others send here is as long as what is expected from them: the MPI asks for that, but does not look.
  [[nodiscard]] bool fits() const {
    std::map<std::pair<Rank, int>, std::int64_t> sent;  // by sender and turn
    std::map<Rank, int> turns;
    for (const KnownPut& put : puts_) {
      if (put.to == communicator_.rank()) sent[{put.from, turns[put.from]++}] = put.bytes;
    }
    for (std::size_t k = 0; k < mine_.from.size(); ++k) {
      if (mine_.from[k] == MPI_PROC_NULL) continue;
      const auto found = sent.find({mine_.from[k], plan_.turns_from[k]});
      const auto bytes = static_cast<std::int64_t>(blocks_->sides().output.blocks[k].bytes());
      if (found == sent.end() || found->second != bytes) return false;
      sent.erase(found);
    }
    return sent.empty();
  }

  [[nodiscard]] int host_of(Rank rank) const {
    const Rank in_world = communicator_.peers().world_ranks[rank];
    return job_.host_of.empty() ? in_world : job_.host_of[static_cast<std::size_t>(in_world)];
  }
  [[nodiscard]] bool goes_by_nic(const KnownPut& put) const {
    if (put.to == MPI_PROC_NULL || put.to == put.from || put.bytes == 0) return false;
    return !job_.hosts_talk_by_mpi || host_of(put.from) != host_of(static_cast<Rank>(put.to));
  }

  [[nodiscard]] int most_between_two() const {
    std::map<std::pair<Rank, std::int64_t>, int> messages;
    int most = 0;
    for (const KnownPut& put : puts_) most = std::max(most, ++messages[{put.from, put.to}]);
    return most;
  }

  void decide() {
    const auto packer = static_cast<std::size_t>(offers_.front().packer);
    const bool is_asked_for = packer > 1 || job_.transports == Transports::fabric;
    std::int64_t longest = 0;
    for (const KnownPut& put : puts_) longest = std::max(longest, goes_by_nic(put) ? put.bytes : 0);
    plan_.packer = packer > 1 ? known_packers()[packer] : "even";
    plan_.is_ours = false;
    if (packer == 1) {
      plan_.reason = not_asked_for;
    } else if (most_between_two() > max_channels) {
      plan_.reason = too_many;
    } else if (longest == 0) {
      plan_.reason = nothing_to_send;
    } else if (is_asked_for) {
      plan_.is_ours = true;
      plan_.reason = asked_for;
    } else if (nic_count() < 2) {
      plan_.reason = one_nic;
    } else {
      plan_.is_ours = static_cast<std::size_t>(longest) >= shortest_for_nics(job_);
      plan_.reason = plan_.is_ours ? several_nics : too_short;
    }
  }

  [[nodiscard]] int nic_count() const {
    return static_cast<int>(std::ranges::min_element(offers_, {}, &Offer::nics)->nics);
  }
  [[nodiscard]] halo::Engines nics() const {
    halo::Engines nics{.count = nic_count(), .rates = {}};
    for (const auto& lane : job_.fabric->lanes()) nics.rates.push_back(lane->nic().rate);
    return nics;
  }

  // Hosts are numbered as they come up.
  [[nodiscard]] halo::Exchange exchange(std::vector<std::size_t>& by_nic) const {
    halo::Exchange exchange{.nodes = 0, .puts = {}, .directions = {}};
    std::map<int, int> nodes;
    const auto node_of = [&](Rank rank) { return nodes.try_emplace(host_of(rank), std::ssize(nodes)).first->second; };
    for (std::size_t k = 0; k < puts_.size(); ++k) {
      const KnownPut& put = puts_[k];
      if (!goes_by_nic(put)) continue;
      const auto to = static_cast<Rank>(put.to);
      by_nic.push_back(k);
      exchange.puts.push_back({.from = node_of(put.from),
                               .to = node_of(to),
                               .bytes = static_cast<std::size_t>(put.bytes),
                               .direction = to,
                               .links = {}});
    }
    exchange.nodes = static_cast<int>(nodes.size());
    return exchange;
  }

  // A search, or places for very many puts, would take longer than they ever gain.
  [[nodiscard]] static std::string_view affordable(std::string_view packer, std::size_t puts) {
    constexpr std::size_t many = 4096, many_to_search = 256;
    const bool is_cheap = packer == "even" || packer == "striped";
    return is_cheap || puts <= (packer == "fastest" ? many_to_search : many) ? packer : "even";
  }

  void share_out() {
    std::vector<std::size_t> by_nic;
    const halo::Exchange exchange = this->exchange(by_nic);
    plan_.packer = affordable(plan_.packer, by_nic.size());
    const halo::Lanes lanes = *halo::lanes_by(plan_.packer, exchange, nics(), longest_in_one_piece);
    const auto first =
        static_cast<std::size_t>(std::ranges::find(puts_, communicator_.rank(), &KnownPut::from) - puts_.begin());
    plan_.paths.assign(mine_.to.size(), 0);
    std::vector<char> is_ordered(mine_.to.size());
    for (const int number : lanes.order) {
      const KnownPut& put = puts_[by_nic[static_cast<std::size_t>(number)]];
      if (put.from != communicator_.rank()) continue;
      const std::size_t place = by_nic[static_cast<std::size_t>(number)] - first;
      const int lane = lanes.of_puts[static_cast<std::size_t>(number)];
      plan_.paths[place] = lane == halo::Lanes::all ? by_all_in_turn : only_by(lane);
      plan_.order.push_back(static_cast<int>(place));
      is_ordered[place] = 1;
    }
    for (std::size_t place = 0; place < is_ordered.size(); ++place) {
      if (is_ordered[place] == 0) plan_.order.push_back(static_cast<int>(place));
    }
  }

  const Communicator& communicator_;
  const Job& job_;
  const Native& mpi_;
  const MPI_Comm alone_;
  const Call& call_;
  const Neighbourhood& mine_;
  const NeighbourBlocks* const blocks_;
  ExchangePlan& plan_;
  std::vector<Offer> offers_;   // by rank
  std::vector<KnownPut> puts_;  // of all, by rank and place
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
