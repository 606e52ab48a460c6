// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/paired_start.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "mpi/neighbours/routes.hpp"
#include "mpi/requests/requests.hpp"
#include "transport/fabric/fabric.hpp"

namespace espalier {

namespace {

PairedRun* find_send(MPI_Request handle) {
  PersistentRun* const run = requests().persistent.find(handle);
  PairedRun* const paired = run != nullptr ? run->paired() : nullptr;
  return paired != nullptr && paired->end().side == PairSide::sends ? paired : nullptr;
}

// Each rank shares out its own. Those of ranks that all have the same neighbours, as in a stencil, fit together, as all
// send in the same direction at one time. This rank is the first node; others are numbered as they come up.
NumberedPuts puts_of(const std::vector<PairedRun*>& sends) {
  NumberedPuts puts;
  std::map<Rank, int> nodes;
  for (int place = 0; const PairedRun* const send : sends) {
    const int node = nodes.try_emplace(send->end().peer, static_cast<int>(nodes.size()) + 1).first->second;
    puts.add({.from = 0, .to = node, .bytes = send->bytes(), .direction = node, .links = {}}, place++);
  }
  puts.exchange.nodes = static_cast<int>(nodes.size()) + 1;
  return puts;
}

void share_out(const Job& job, const std::vector<PairedRun*>& sends) {
  const std::string& wanted = job.settings.packer;
  const std::string_view packer =
      affordable(wanted == packer_by_itself ? usual_packer : std::string_view(wanted), sends.size());
  HaloRoutes routes;
  const auto lanes = static_cast<int>(job.fabric->lanes().size());
  share_out(puts_of(sends), packer, nics_of(job, lanes), static_cast<int>(sends.size()), routes);
  for (int turn = 0; const int place : routes.order) {
    const auto k = static_cast<std::size_t>(place);
    sends[k]->settle_way(routes.to[k], turn++);
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
