// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/meeting.hpp"

#include <algorithm>
#include <map>

#include "mpi/call/reasons.hpp"
#include "mpi/job/nics.hpp"
#include "mpi/job/short_messages.hpp"
#include "mpi/requests/requests.hpp"
#include "transport/fabric/fabric.hpp"

namespace espalier {

namespace {

constexpr std::array met_forms = {CallForm::blocking, CallForm::nonblocking};

// What the ranks tell each other, of which the least counts.
struct MeetingVote {
  std::array<int, 2> can = {0, 0};  // by form
  int nics = 0;
  int has_none_far = 1;  // 0: this rank sends to another host
};

class Meeting {
 public:
  Meeting(PreparedCommunicator& communicator, std::string_view collective)
      : communicator_(communicator), job_(communicator.job()), collective_(collective) {}

  [[nodiscard]] int hold() {
    if (const char* const reason = reason_seen_by_all(); reason != nullptr) return refuse(reason);
    if (const int status = communicator_.join(collective_); status != MPI_SUCCESS) return status;
    if (communicator_.unusual() != nullptr) return refuse(communicator_.unusual());
    const MeetingVote mine = vote();
    MeetingVote all;
    constexpr int count = sizeof(MeetingVote) / sizeof(int);
    const int status = job_.mpi.Allreduce(&mine, &all, count, MPI_INT, MPI_MIN, communicator_.handle());
    return status == MPI_SUCCESS ? decide(all) : status;
  }

 private:
  [[nodiscard]] int refuse(const char* reason) {
    communicator_.neighbours_refused = reason;
    return MPI_SUCCESS;
  }

  // Without asking the others.
  [[nodiscard]] const char* reason_seen_by_all() const {
    if (communicator_.unusual() != nullptr) return communicator_.unusual();
    if (job_.fabric == nullptr) return why::no_lanes;
    if (job_.fault_tolerant) return why::fault_tolerant;
    if (job_.settings.packer == packer_of_mpi) return why::not_asked_for;
    int kind = MPI_UNDEFINED;
    job_.mpi.Topo_test(communicator_.handle(), &kind);
    return kind == MPI_UNDEFINED ? why::no_neighbours : nullptr;
  }

  // Whatever goes wrong here, the others must learn of it: they are about to agree.
  [[nodiscard]] MeetingVote vote() noexcept {
    MeetingVote vote;
    try {
      auto met = std::make_shared<NeighbourMeeting>();
      vote = look_around(*met);
      met_ = std::move(met);
    } catch (const std::exception&) {
      vote = {};
    }
    return vote;
  }

  [[nodiscard]] MeetingVote look_around(NeighbourMeeting& met) const {
    Neighbourhood& mine = met.neighbourhood;
    if (find_neighbourhood(job_.mpi, communicator_.handle(), mine) != MPI_SUCCESS) return {};
    met.turns_to = turns_of(mine.to, MeetingOrder::in_order);
    const std::vector<int> turns_from = turns_of(mine.from, MeetingOrder::in_order);
    const bool are_few = std::max(highest(met.turns_to), highest(turns_from)) < max_channels;
    MeetingVote vote{.can = {}, .nics = static_cast<int>(job_.fabric->lanes().size()), .has_none_far = 1};
    for (const CallForm form : met_forms) {
      const MPI_Comm alone = requests().to_self;
      const MeetingOrder order =
          alone != MPI_COMM_NULL ? meeting_of(job_.mpi, alone, mine.kind, form) : MeetingOrder::unknown;
      const auto number = static_cast<std::size_t>(form);
      vote.can[number] = are_few && order != MeetingOrder::unknown ? 1 : 0;
      met.forms[number].turns_from = turns_of(mine.from, order);
    }
    // A search would take longer than one call gains.
    const std::string& packer = job_.settings.packer;
    met.packer = packer == packer_by_itself || packer == "fastest" ? default_packer : packer;
    met.nics = nics_of(*job_.fabric);
    met.least_bytes = shortest_unplanned(job_);
    find_hosts(met);
    if (std::ranges::count(met.is_far_to, 1) > 0) vote.has_none_far = 0;
    return vote;
  }

  [[nodiscard]] static int highest(const std::vector<int>& turns) {
    return turns.empty() ? 0 : *std::ranges::max_element(turns);
  }

  void find_hosts(NeighbourMeeting& met) const {
    const Rank me = communicator_.rank();
    std::map<int, int> numbers;  // of other hosts
    for (const Rank peer : met.neighbourhood.to) {
      const bool is_far = are_apart(communicator_, me, peer);
      met.is_far_to.push_back(is_far ? 1 : 0);
      met.is_diagonal_to.push_back(is_far && communicator_.grid().are_diagonal(me, peer) ? 1 : 0);
      met.hosts_to.push_back(
          is_far ? numbers.try_emplace(host_of(communicator_, peer), std::ssize(numbers) + 1).first->second : 0);
    }
    for (const Rank peer : met.neighbourhood.from)
      met.is_far_from.push_back(are_apart(communicator_, peer, me) ? 1 : 0);
    const int host = host_of(communicator_, me);
    met.ranks_on_host = 0;
    for (Rank rank = 0; rank < communicator_.size(); ++rank) {
      if (host_of(communicator_, rank) != host) continue;
      if (rank == me) met.rank_on_host = met.ranks_on_host;
      ++met.ranks_on_host;
    }
  }

  [[nodiscard]] int decide(const MeetingVote& all) {
    const bool is_asked_for = job_.settings.packer != packer_by_itself || job_.transports == Transports::fabric;
    if (all.can == std::array<int, 2>{}) return refuse(why::not_for_us);
    if (all.has_none_far != 0) return refuse(why::nothing_to_send);
    if (!is_asked_for && all.nics < 2) return refuse(why::one_nic);
    met_->reason = is_asked_for ? why::asked_for : why::several_nics;
    met_->nics.count = all.nics;
    for (const CallForm form : met_forms) {
      const auto number = static_cast<std::size_t>(form);
      met_->forms[number].is_ours = all.can[number] != 0;
    }
    communicator_.neighbours = std::move(met_);
    return MPI_SUCCESS;
  }

  PreparedCommunicator& communicator_;
  const Job& job_;
  const std::string_view collective_;
  std::shared_ptr<NeighbourMeeting> met_;
};

// Every rank takes it that the others do as it does, so that it need not ask them. Ranks of one host share its NICs:
// each stands for all of them, or for some, if they have very many puts.
NumberedPuts puts_of_host(const NeighbourMeeting& meeting, const UserBlocks& sent) {
  constexpr int many = 128;
  std::vector<int> long_ones;
  for (std::size_t k = 0; k < sent.blocks.size(); ++k) {
    if (path_from(meeting.is_far_to[k] != 0, sent.blocks[k].bytes(), meeting.least_bytes) != over_mpi)
      long_ones.push_back(static_cast<int>(k));
  }
  NumberedPuts puts;
  puts.exchange.nodes = 1 + (meeting.hosts_to.empty() ? 0 : *std::ranges::max_element(meeting.hosts_to));
  const auto length = static_cast<int>(long_ones.size());
  const int ranks = length == 0 ? 0 : std::clamp(many / length, 1, meeting.ranks_on_host);
  for (int rank = 0; rank < ranks; ++rank) {
    const bool is_mine = rank == meeting.rank_on_host % ranks;
    for (const int place : long_ones) {
      const auto k = static_cast<std::size_t>(place);
      puts.add({.from = 0,
                .to = meeting.hosts_to[k],
                .bytes = sent.blocks[k].bytes(),
                .is_diagonal = meeting.is_diagonal_to[k] != 0,
                .links = {}},
               is_mine ? place : NumberedPuts::not_mine);
    }
  }
  return puts;
}

}  // namespace

int meet_neighbours(PreparedCommunicator& communicator, std::string_view collective) {
  const bool have_met = communicator.neighbours != nullptr || communicator.neighbours_refused != nullptr;
  return have_met ? MPI_SUCCESS : Meeting(communicator, collective).hold();
}

const char* reason_for_native(const PreparedCommunicator& communicator, CallForm form) {
  if (communicator.unusual() != nullptr) return communicator.unusual();
  if (communicator.neighbours_refused != nullptr) return communicator.neighbours_refused;
  if (communicator.neighbours == nullptr) return why::no_tags_yet;
  return communicator.neighbours->of(form).is_ours ? nullptr : why::not_for_us;
}

HaloRoutes routes_of_call(const NeighbourMeeting& meeting, const UserSides& sides, CallForm form) {
  HaloRoutes routes{
      .to = {}, .from = {}, .order = {}, .turns_to = meeting.turns_to, .turns_from = meeting.of(form).turns_from};
  const auto blocks = static_cast<int>(sides.input.blocks.size());
  (void)share_out(puts_of_host(meeting, sides.input), meeting.packer, meeting.nics, blocks, routes);
  for (std::size_t k = 0; k < sides.output.blocks.size(); ++k)
    routes.from.push_back(path_from(meeting.is_far_from[k] != 0, sides.output.blocks[k].bytes(), meeting.least_bytes));
  return routes;
}

}  // namespace espalier
