// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/agreed_exchange.hpp"

#include <algorithm>
#include <array>

#include "halo/lane_packers.hpp"
#include "mpi/call/reasons.hpp"
#include "mpi/communicators/communicator.hpp"
#include "mpi/neighbours/routes.hpp"
#include "transport/fabric/fabric.hpp"

namespace espalier {

namespace {

// What a rank says first.
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

// As ranks tell each other, by number.
std::vector<std::string> known_packers() {
  std::vector<std::string> names = {std::string(packer_by_itself), std::string(packer_of_mpi)};
  for (std::string& name : halo::lane_packers()) names.push_back(std::move(name));
  return names;
}
std::vector<std::string> known_aggregations() {
  return {std::string(aggregation_by_itself), std::string(never_aggregated), std::string(always_aggregated)};
}

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

class Agreeing {
 public:
  Agreeing(const Communicator& communicator, MPI_Info info, const Neighbourhood& mine, const NeighbourBlocks* blocks,
           AgreedExchange& agreed)
      : communicator_(communicator),
        job_(communicator.job()),
        info_(info),
        mine_(mine),
        blocks_(blocks),
        agreed_(agreed) {}

  [[nodiscard]] int meet(bool can) {
    agreed_.grid = communicator_.grid();
    const halo::ProcessGrid said =
        halo::process_grid_of(wanted(job_.mpi, info_, "espalier_grid", ""), communicator_.size());
    if (!said.sizes.empty()) agreed_.grid = said;
    const int status = receive_offers(can && blocks_ != nullptr && blocks_->are_right());
    if (status != MPI_SUCCESS || agreed_.refused != nullptr) return status;
    return receive_puts();
  }

 private:
  static constexpr std::int64_t most_puts = 50'000'000;  // more would take too much memory on each rank

  [[nodiscard]] int receive_offers(bool can) {
    const Native& mpi = job_.mpi;
    const Settings& settings = job_.settings;
    const std::vector<std::string> packers = known_packers(), aggregations = known_aggregations();
    const Offer mine{
        .puts = can ? std::ssize(mine_.to) : -1,
        .packer = number_in(packers, wanted(mpi, info_, "espalier_packer", settings.packer)),
        .aggregation = number_in(aggregations, wanted(mpi, info_, "espalier_aggregation", settings.aggregation)),
        .nics = std::ssize(job_.fabric->lanes())};
    offers_.resize(static_cast<std::size_t>(communicator_.size()));
    const int status =
        mpi.Allgather(&mine, sizeof mine, MPI_BYTE, offers_.data(), sizeof mine, MPI_BYTE, communicator_.handle());
    if (status != MPI_SUCCESS) return status;
    agreed_.packer = packers[static_cast<std::size_t>(offers_.front().packer)];
    agreed_.aggregation = aggregations[static_cast<std::size_t>(offers_.front().aggregation)];
    agreed_.nics = static_cast<int>(std::ranges::min_element(offers_, {}, &Offer::nics)->nics);
    std::int64_t puts = 0;
    for (const Offer& offer : offers_) {
      if (offer.puts < 0) agreed_.refused = why::not_for_us;
      puts += offer.puts;
    }
    if (agreed_.refused == nullptr && agreed_.packer == packer_of_mpi) agreed_.refused = why::not_asked_for;
    if (agreed_.refused == nullptr && puts > most_puts) agreed_.refused = why::too_many;
    return status;
  }

  [[nodiscard]] int receive_puts() {
    constexpr int numbers = sizeof(TalkedPut) / sizeof(std::int64_t);
    const std::vector<TalkedPut> mine = own_puts();
    std::vector<int> counts, places;
    int all = 0;
    for (const Offer& offer : offers_) {
      counts.push_back(static_cast<int>(offer.puts) * numbers);
      places.push_back(all);
      all += counts.back();
    }
    std::vector<TalkedPut> puts(static_cast<std::size_t>(all / numbers));
    const int status =
        job_.mpi.Allgatherv(mine.data(), static_cast<int>(mine.size()) * numbers, MPI_INT64_T, puts.data(),
                            counts.data(), places.data(), MPI_INT64_T, communicator_.handle());
    if (status == MPI_SUCCESS) note(puts);
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

  void note(const std::vector<TalkedPut>& puts) {
    std::size_t next = 0;
    for (Rank from = 0; from < communicator_.size(); ++from) {
      std::map<Rank, int> turns;
      for (int place = 0; place < offers_[static_cast<std::size_t>(from)].puts; ++place) {
        const TalkedPut& put = puts[next++];
        if (put.to != MPI_PROC_NULL) note(from, place, put, turns[static_cast<Rank>(put.to)]++);
      }
    }
  }

  // Blocks of no bytes are no messages: both ends know that.
  void note(Rank from, int place, const TalkedPut& put, int turn) {
    if (put.bytes == 0) return;
    const auto to = static_cast<Rank>(put.to);
    if (to == communicator_.rank()) agreed_.to_here[{from, turn}] = static_cast<int>(agreed_.messages.size());
    agreed_.place_in_input.push_back(from == communicator_.rank() ? place : -1);
    agreed_.messages.push_back(
        {.from = from, .to = to, .bytes = static_cast<std::size_t>(put.bytes), .datum = static_cast<int>(put.datum)});
  }

  const Communicator& communicator_;
  const Job& job_;
  const MPI_Info info_;
  const Neighbourhood& mine_;
  const NeighbourBlocks* const blocks_;
  AgreedExchange& agreed_;
  std::vector<Offer> offers_;  // by rank
};

}  // namespace

int agree_on_exchange(const Communicator& communicator, MPI_Info info, const Neighbourhood& mine,
                      const NeighbourBlocks* blocks, bool can, AgreedExchange& agreed) {
  return Agreeing(communicator, info, mine, blocks, agreed).meet(can);
}

}  // namespace espalier
