// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/communicator.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/hash.hpp"
#include "mpi/communicators/agreement.hpp"
#include "mpi/job/memory_of_job.hpp"

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

Communicator::Communicator(const Job& job, IdPool& ids, const Facts& facts)
    : job_(job),
      ids_(ids),
      facts_(facts),
      endpoint_({.mpi = &job.mpi,
                 .application = facts.handle,
                 .traffic = job.traffic,
                 .tags = job.tags,
                 .first_tag = 0,
                 .world_ranks = {},
                 .me = facts.rank,
                 .size = facts.size,
                 .crowded = job.crowded,
                 .fault_tolerant = job.fault_tolerant,
                 .seconds_out_of_step = static_cast<double>(job.settings.lane_timeout),
                 .fabric = job.fabric.get(),
                 .host_of = job.hosts_talk_by_mpi ? &job.host_of : nullptr,
                 .node = job.node.get(),
                 .processes = &job.processes}) {}

// An id whose tags may still meet a message of old is not given out again.
Communicator::~Communicator() {
  if (id_ && is_clean()) ids_.release(*id_);
}

// Nothing that was sent to its tags may still come. Asks nobody: this may die within a callback of the MPI.
bool Communicator::is_clean() const { return endpoint_.notes.is_quiet() && endpoint_.watch.is_clean(); }

void Communicator::settle() {
  end_reports();
  endpoint_.notes.drain([this](const Note& note) { read(note); });
}

void Communicator::find_place() {
  if (has_place_) return;
  look_for_place();
  has_place_ = true;
}

void Communicator::look_for_place() {
  if ((!job_.machine && !job_.remembers && !job_.node && job_.host_of.empty()) || unusual() != nullptr) return;
  const std::optional<WorldRanks> world_ranks = find_world_ranks(job_.mpi, handle(), size(), job_.world_group);
  if (!world_ranks) return;
  is_in_memory_ = shares_memory(*world_ranks);
  if (job_.machine) {
    find_network(*world_ranks);
  } else if (!job_.host_of.empty()) {
    by_node_ = std::make_unique<const RanksByNode>(picked(job_.host_of, *world_ranks, size()));
  }
  if (job_.remembers) placement_ = std::make_unique<const Placement>(placement_of(job_, *world_ranks, size()));
}

// Either all of its ranks see that, or none: those of a node have agreed on who is in it.
bool Communicator::shares_memory(const WorldRanks& world_ranks) const {
  if (!job_.node || job_.transports == Transports::fabric) return false;
  for (Rank rank = 0; rank < size(); ++rank) {
    if (job_.processes.number_of(world_ranks[rank]) < 0) return false;
  }
  return true;
}

void Communicator::find_network(const WorldRanks& world_ranks) {
  network_ = std::make_unique<const Network>(*job_.machine, picked(job_.node_of, world_ranks, size()), job_.nic_use);
  if (job_.transports == Transports::either) {
    fabric_network_.reset(new Network(network_->with(NicUse::striped)));
  }
  endpoint_.peers.acknowledged = network_->nics_used() > 1;
}

int Communicator::join(std::string_view collective) {
  if (has_joined() || unusual() != nullptr) [[likely]]
    return MPI_SUCCESS;
  bool able = false;
  try {
    std::optional<WorldRanks> world_ranks = find_world_ranks(job_.mpi, handle(), size(), job_.world_group);
    // All see that, each from its own world; and those of another may have arrived without Espalier.
    if (!world_ranks) {
      leave_to_mpi("the communicator holds processes of another MPI_COMM_WORLD");
      return MPI_SUCCESS;
    }
    find_place();
    endpoint_.peers.world_ranks = std::move(*world_ranks);
    able = true;
  } catch (const std::exception&) {  // the others must learn of it: they are going to the agreement
  }
  call_ = 0;
  const int status = use(agree({.purpose = "first tags", .collective = collective}, able));
  begin_together();
  return status;
}

AgreedId Communicator::agree(const Occasion& occasion, bool able) {
  AgreedId agreed = agree_on_id(job_.mpi, handle(), ids_, able, occasion.hash());
  if (agreed.encounter != Encounter::as_one) {
    agreed.status = raise_out_of_step(job_, handle(), occasion, agreed.encounter == Encounter::from_several);
  }
  return agreed;
}

int Communicator::use(const AgreedId& agreed) {
  id_ = agreed.id;
  if (!agreed.id) {
    if (agreed.status == MPI_SUCCESS) leave_to_mpi(no_common_tags);
    return agreed.status;
  }
  endpoint_.peers.first_tag = job_.tags.first_tag(*id_);
  return MPI_SUCCESS;
}

// Forgets what was prepared, so that this call takes the long route, by renew_tags().
void Communicator::begin_epoch() {
  needs_new_tags_ = has_joined();
  forget_prepared();
}

// Runs of before use the tags of before until they are over. All ranks have begun them, or will before they come here.
void Communicator::wait_for_runs() const {
  while (!epochs_.empty()) job_.make_progress();
}

int Communicator::renew_tags(std::string_view collective) {
  if (!needs_new_tags_) return MPI_SUCCESS;
  needs_new_tags_ = false;
  wait_for_runs();
  const Occasion occasion{.purpose = "new tags", .collective = collective, .call = call_};
  AgreedId agreed = agree(occasion, true);
  if (agreed.encounter != Encounter::as_one) return agreed.status;
  give_tags_back();
  // There may have been none next to those.
  if (!agreed.id && agreed.status == MPI_SUCCESS) agreed = agree(occasion, true);
  return use(agreed);
}

// All ranks are here now, so what they have exchanged on these tags is about to come.
void Communicator::give_tags_back() {
  settle();
  if (is_clean()) ids_.release(*id_);
  stop_listening();
  endpoint_.watch.mark_clean();
  forget_prepared();
}

// `made`: null if there was no memory, of which the others must learn: they are going to the agreement. Whether
// the ranks have tags in common says `agreed`.
int Communicator::agree_on_tags(const Occasion& occasion, PersistentTags* made, bool& agreed) {
  const AgreedId number = agree(occasion, made != nullptr);
  agreed = number.id.has_value();
  if (agreed) made->use(*number.id);
  return number.status;
}

int Communicator::find_persistent_tags(std::string_view collective, std::shared_ptr<PersistentTags>& tags) {
  if (!persistent_tags_ || persistent_tags_->are_used_up()) {
    std::shared_ptr<PersistentTags> more;
    try {
      more = std::make_shared<PersistentTags>(peers(), ids_);
    } catch (const std::bad_alloc&) {
    }
    bool agreed = false;
    const Occasion occasion{.purpose = "tags for persistent requests", .collective = collective, .call = call_};
    const int status = agree_on_tags(occasion, more.get(), agreed);
    if (!agreed) return status;
    persistent_tags_ = std::move(more);
  }
  tags = persistent_tags_;
  return MPI_SUCCESS;
}

int Communicator::make_pairs() {
  if (const int status = join({}); status != MPI_SUCCESS || unusual() != nullptr) return status;
  std::shared_ptr<Pairs> made;
  try {
    made = Pairs::make(std::make_shared<PersistentTags>(peers(), ids_));
  } catch (const std::bad_alloc&) {
  }
  bool agreed = false;
  const int status =
      agree_on_tags({.purpose = "tags for pairs"}, made != nullptr ? made->tags().get() : nullptr, agreed);
  if (agreed) pairs_ = std::move(made);
  return status;
}

std::uint64_t Communicator::members_hash() const {
  if (!has_joined()) return 0;
  std::uint64_t hash = hash_of_number(static_cast<std::uint64_t>(size()), hash_of_nothing);
  for (Rank rank = 0; rank < size(); ++rank) {
    hash = hash_of_number(static_cast<std::uint64_t>(peers().world_ranks[rank]), hash);
  }
  return hash;
}

void Communicator::announce_failure(int error_class) {
  if (!has_joined()) return;
  endpoint_.watch.forget_before(call_);
  endpoint_.watch.announce(call_, error_class);
}

void Communicator::announce_out_of_step() {
  if (has_joined()) endpoint_.watch.announce(CallWatch::every_call, MPI_ERR_INTERN);
}

}  // namespace espalier
