// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/paired_start.hpp"

#include <algorithm>

#include "mpi/pairs/send_lanes.hpp"
#include "mpi/pairs/send_order.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

PairedRun* find_send(MPI_Request handle) {
  PersistentRun* const run = requests().persistent.find(handle);
  PairedRun* const paired = run != nullptr ? run->paired() : nullptr;
  return paired != nullptr && paired->end().side == PairSide::sends ? paired : nullptr;
}

void share_out(const Job& job, const std::vector<PairedRun*>& sends) {
  std::vector<SendSize> sizes;
  for (const PairedRun* const send : sends) sizes.push_back({send->end().peer, send->bytes(), send->is_diagonal()});
  const std::vector<SendLane> lanes = lanes_of_sends(sizes, job.settings.packer, job.pair_fabric->nics());
  for (std::size_t k = 0; k < sends.size(); ++k) sends[k]->settle_route(lanes[k].path, lanes[k].turn);
}

void share_out_new_ones(const Job& job, std::span<const MPI_Request> handles) {
  std::vector<PairedRun*> sends;
  for (const MPI_Request handle : handles) {
    PairedRun* const send = find_send(handle);
    if (send != nullptr && !send->is_settled()) sends.push_back(send);
  }
  if (!sends.empty()) share_out(job, sends);
}

int start_others(std::span<MPI_Request> handles, int (*start_one)(MPI_Request*)) {
  for (MPI_Request& handle : handles) {
    const int status = find_send(handle) == nullptr ? start_one(&handle) : MPI_SUCCESS;
    if (status != MPI_SUCCESS) return status;
  }
  return MPI_SUCCESS;
}

int start_sends(std::span<MPI_Request> handles, int (*start_one)(MPI_Request*)) {
  SendOrder<MPI_Request> in_order;
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
