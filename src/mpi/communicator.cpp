// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicator.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "mpi/agreement.hpp"
#include "mpi/context.hpp"

namespace espalier {

namespace {

constexpr const char* no_common_tags = "the ranks could not agree on tags for the communicator";

// Nothing if a member is not of this process's MPI_COMM_WORLD. Then this is so on all ranks: no world holds them all.
// Throws if it cannot be found out.
std::optional<WorldRanks> find_world_ranks(const Native& mpi, MPI_Comm comm, Rank size, MPI_Group world) {
  std::vector<int> ranks(size), world_ranks(size, MPI_UNDEFINED);
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group group = MPI_GROUP_NULL;
  int status = mpi.Comm_group(comm, &group);
  if (status == MPI_SUCCESS) status = mpi.Group_translate_ranks(group, size, ranks.data(), world, world_ranks.data());
  if (group != MPI_GROUP_NULL) mpi.Group_free(&group);
  if (status != MPI_SUCCESS) throw std::runtime_error("the MPI does not say which ranks a communicator has");
  if (std::find(world_ranks.begin(), world_ranks.end(), MPI_UNDEFINED) != world_ranks.end()) return std::nullopt;
  return WorldRanks(world_ranks);
}

}  // namespace

Communicator::Communicator(const Facts& facts, int cache)
    : facts_(facts),
      peers_{.mpi = &context->mpi,
             .application = facts.handle,
             .traffic = context->traffic,
             .tags = context->tags,
             .first_tag = 0,
             .world_ranks = {},
             .me = facts.rank,
             .size = facts.size,
             .crowded = context->crowded,
             .fault_tolerant = context->fault_tolerant},
      prepared(cache) {}

// An id whose tags may still meet a message of old is not given out again.
Communicator::~Communicator() {
  if (id_ && watch_.is_clean()) context->ids.release(*id_);
}

void Communicator::find_network() {
  if (!context->machine || unusual() != nullptr) return;
  const std::optional<WorldRanks> world_ranks = find_world_ranks(context->mpi, handle(), size(), context->world_group);
  if (!world_ranks) return;
  std::vector<int> node_of;
  for (Rank rank = 0; rank < size(); ++rank) node_of.push_back(context->node_of[(*world_ranks)[rank]]);
  network_ = std::make_unique<const Network>(*context->machine, node_of, context->nic_use);
  peers_.acknowledged = network_->nics_used() > 1;
}

int Communicator::join() {
  if (has_joined() || unusual() != nullptr) [[likely]]
    return MPI_SUCCESS;
  const char* reason = no_common_tags;
  std::optional<WorldRanks> world_ranks;
  try {
    world_ranks = find_world_ranks(context->mpi, handle(), size(), context->world_group);
    if (!world_ranks) reason = "the communicator holds processes of another MPI_COMM_WORLD";
  } catch (const std::exception&) {  // the others must hear of it: they are on their way to the agreement
  }
  const bool able = world_ranks.has_value();
  if (able) peers_.world_ranks = std::move(*world_ranks);
  return agree_on_tags(able, reason);
}

int Communicator::agree_on_tags(bool able, const char* reason_if_not) {
  const AgreedId agreed = agree_on_id(context->mpi, handle(), context->ids, able);
  id_ = agreed.id;
  if (!agreed.id) {
    if (agreed.status == MPI_SUCCESS) give_up(reason_if_not);
    return agreed.status;
  }
  peers_.first_tag = context->tags.first_tag(*id_);
  return MPI_SUCCESS;
}

int Communicator::renew_tags() {
  if (!has_joined() || peers_.tags.offset(call_) != 0) return MPI_SUCCESS;
  if (watch_.is_clean()) context->ids.release(*id_);
  watch_.mark_clean();
  forget_decisions();
  return agree_on_tags(true, no_common_tags);
}

void Communicator::announce_failure(int error_class) {
  if (!has_joined()) return;
  watch_.begin(call_);
  watch_.announce(error_class);
}

void Communicator::forget_decisions() {
  recent.clear();
  prepared.clear();
}

}  // namespace espalier
