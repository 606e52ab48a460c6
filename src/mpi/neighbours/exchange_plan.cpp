// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/exchange_plan.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "halo/lanes.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/job/short_messages.hpp"
#include "mpi/neighbours/reasons.hpp"

namespace espalier {

namespace {

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

// By number, as ranks tell each other.
std::vector<std::string> known_packers() {
  std::vector<std::string> names = {std::string(packer_by_itself), std::string(packer_of_mpi)};
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
    const MeetingOrder meeting = meeting_of(mpi_, alone_, mine_.kind, CallForm::persistent);
    if (const int status = hear_offers(meeting != MeetingOrder::unknown); status != MPI_SUCCESS) return status;
    if (std::ranges::any_of(offers_, [](const Offer& offer) { return offer.puts < 0; })) return refuse(why::not_for_us);
    if (const int status = hear_puts(); status != MPI_SUCCESS) return status;
    plan_.routes.turns_to = turns_of(mine_.to, MeetingOrder::in_order);
    plan_.routes.turns_from = turns_of(mine_.from, meeting);
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
      const auto found = sent.find({mine_.from[k], plan_.routes.turns_from[k]});
      const auto bytes = static_cast<std::int64_t>(blocks_->sides().output.blocks[k].bytes());
      if (found == sent.end() || found->second != bytes) return false;
      sent.erase(found);
    }
    return sent.empty();
  }

  // If it is long enough.
  [[nodiscard]] bool may_go_by_nic(const KnownPut& put) const {
    return put.bytes != 0 && are_apart(communicator_, put.from, static_cast<Rank>(put.to));
  }
  [[nodiscard]] bool goes_by_nic(const KnownPut& put) const {
    return may_go_by_nic(put) && static_cast<std::size_t>(put.bytes) >= shortest_among_others(job_);
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
    for (const KnownPut& put : puts_) longest = std::max(longest, may_go_by_nic(put) ? put.bytes : 0);
    plan_.packer = packer > 1 ? known_packers()[packer] : std::string(usual_packer);
    plan_.is_ours = false;
    if (packer == 1) {
      plan_.reason = why::not_asked_for;
    } else if (most_between_two() > max_channels) {
      plan_.reason = why::too_many;
    } else if (longest == 0) {
      plan_.reason = why::nothing_to_send;
    } else if (is_asked_for) {
      plan_.is_ours = true;
      plan_.reason = why::asked_for;
    } else if (nic_count() < 2) {
      plan_.reason = why::one_nic;
    } else {
      plan_.is_ours = static_cast<std::size_t>(longest) >= shortest_for_nics(job_);
      plan_.reason = plan_.is_ours ? why::several_nics : why::too_short;
    }
  }

  [[nodiscard]] int nic_count() const {
    return static_cast<int>(std::ranges::min_element(offers_, {}, &Offer::nics)->nics);
  }

  // Hosts are numbered as they come up.
  [[nodiscard]] NumberedPuts puts_by_nic() const {
    NumberedPuts numbered{.exchange = {.nodes = 0, .puts = {}, .directions = {}}, .places = {}};
    std::map<int, int> nodes;
    const auto node_of = [&](Rank rank) {
      return nodes.try_emplace(host_of(communicator_, rank), std::ssize(nodes)).first->second;
    };
    int place = 0;
    Rank last = no_rank;
    for (const KnownPut& put : puts_) {
      place = std::exchange(last, put.from) == put.from ? place + 1 : 0;
      if (!goes_by_nic(put)) continue;
      const auto to = static_cast<Rank>(put.to);
      const int from_node = node_of(put.from), to_node = node_of(to);
      numbered.add({.from = from_node,
                    .to = to_node,
                    .bytes = static_cast<std::size_t>(put.bytes),
                    .direction = to,
                    .links = {}},
                   put.from == communicator_.rank() ? place : NumberedPuts::not_mine);
    }
    numbered.exchange.nodes = static_cast<int>(nodes.size());
    return numbered;
  }

  void share_out() {
    const NumberedPuts puts = puts_by_nic();
    plan_.packer = affordable(plan_.packer, puts.places.size());
    const auto blocks = static_cast<int>(mine_.to.size());
    espalier::share_out(puts, plan_.packer, nics_of(job_, nic_count()), blocks, plan_.routes);
    for (std::size_t k = 0; k < mine_.from.size(); ++k) {
      const bool is_apart = are_apart(communicator_, mine_.from[k], communicator_.rank());
      plan_.routes.from.push_back(
          path_from(is_apart, blocks_->sides().output.blocks[k].bytes(), shortest_among_others(job_)));
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
