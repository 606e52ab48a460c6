// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/paired_start.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "halo/lanes.hpp"
#include "mpi/calls/errors.hpp"
#include "mpi/requests/requests.hpp"
#include "transport/fabric/pieces.hpp"

namespace espalier {

namespace {

PairedRun* find_send(MPI_Request handle) {
  PersistentRun* const run = requests().persistent.find(handle);
  PairedRun* const paired = run != nullptr ? run->paired() : nullptr;
  return paired != nullptr && paired->end().side == PairSide::sends ? paired : nullptr;
}

// Each rank shares out its own. Those of ranks that all have the same neighbours, as in a stencil, fit together, as all
// send in the same direction at one time. This rank is the first node; others are numbered as they come up.
halo::Exchange exchange_of(const std::vector<PairedRun*>& sends) {
  halo::Exchange exchange{.nodes = 1, .puts = {}, .directions = {}};
  std::map<Rank, int> nodes;
  for (const PairedRun* const send : sends) {
    const int node = nodes.try_emplace(send->end().peer, static_cast<int>(nodes.size()) + 1).first->second;
    exchange.puts.push_back({.from = 0, .to = node, .bytes = send->bytes(), .direction = node, .links = {}});
  }
  exchange.nodes += static_cast<int>(nodes.size());
  return exchange;
}

// A search, or places for very many puts, would take longer than they ever gain.
std::string_view packer_for(const Job& job, std::size_t puts) {
  constexpr std::size_t many = 256;
  return job.settings.packer == "auto" || puts > many ? "even" : std::string_view(job.settings.packer);
}

void share_out(const Job& job, const std::vector<PairedRun*>& sends) {
  halo::Engines nics{.count = static_cast<int>(job.fabric->lanes().size()), .rates = {}};
  for (const auto& lane : job.fabric->lanes()) nics.rates.push_back(lane->nic().rate);
  const halo::Lanes lanes =
      *halo::lanes_by(packer_for(job, sends.size()), exchange_of(sends), nics, longest_in_one_piece);
  for (std::size_t turn = 0; turn < lanes.order.size(); ++turn) {
    const auto k = static_cast<std::size_t>(lanes.order[turn]);
    const int nic = lanes.of_puts[k];
    sends[k]->settle_way(nic == halo::Lanes::all ? by_all_in_turn : only_by(nic), static_cast<int>(turn));
  }
}

void share_out_new_ones(const Job& job, std::span<const MPI_Request> handles) {
  std::vector<PairedRun*> sends;
  for (const MPI_Request handle : handles) {
    PairedRun* const send = find_send(handle);
    if (send != nullptr && !send->is_settled()) sends.push_back(send);
  }
  if (!sends.empty()) share_out(job, sends);
}

// At most so many are put in order, without memory; what comes after those, after them.
struct InOrder {
  struct Send {
    int turn = 0;
    MPI_Request* handle = nullptr;
  };
  std::array<Send, 128> sends;
  std::size_t count = 0;

  [[nodiscard]] bool is_full() const { return count == sends.size(); }
  void add(int turn, MPI_Request& handle) { sends[count++] = {turn, &handle}; }
  [[nodiscard]] int start(int (*start_one)(MPI_Request*)) {
    std::sort(sends.begin(), sends.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Send& a, const Send& b) { return a.turn < b.turn; });
    for (const Send& send : std::span(sends).first(std::exchange(count, 0))) {
      if (const int status = start_one(send.handle); status != MPI_SUCCESS) return status;
    }
    return MPI_SUCCESS;
  }
};

int start_others(std::span<MPI_Request> handles, int (*start_one)(MPI_Request*)) {
  for (MPI_Request& handle : handles) {
    const int status = find_send(handle) == nullptr ? start_one(&handle) : MPI_SUCCESS;
    if (status != MPI_SUCCESS) return status;
  }
  return MPI_SUCCESS;
}

int start_sends(std::span<MPI_Request> handles, int (*start_one)(MPI_Request*)) {
  InOrder in_order;
  for (MPI_Request& handle : handles) {
    const PairedRun* const send = find_send(handle);
    if (send == nullptr) continue;
    in_order.add(send->turn(), handle);
    const int status = in_order.is_full() ? in_order.start(start_one) : MPI_SUCCESS;
    if (status != MPI_SUCCESS) return status;
  }
  return in_order.start(start_one);
}

}  // namespace

int start_with_pairs(const Job& job, std::span<MPI_Request> handles, int (*start_one)(MPI_Request*)) {
  const auto is_refused = std::ranges::find_if(handles, [](MPI_Request handle) {
    const PersistentRun* const run = requests().persistent.find(handle);
    return run != nullptr && run->is_active();
  });
  if (is_refused != handles.end()) return start_one(&*is_refused);
  try {
    share_out_new_ones(job, handles);
  } catch (const std::bad_alloc&) {  // they go over all NICs then
  }
  for (const MPI_Request handle : handles) {
    PersistentRun* const run = requests().persistent.find(handle);
    if (run != nullptr && run->is_completed()) run->take_turn();
  }
  if (const int status = start_others(handles, start_one); status != MPI_SUCCESS) return status;
  return start_sends(handles, start_one);
}

}  // namespace espalier
