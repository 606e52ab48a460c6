// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/communicators.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "core/printable.hpp"
#include "mpi/communicators/freeing.hpp"
#include "mpi/types/attributes.hpp"
#include "report/context_report.hpp"

namespace espalier {

namespace {

std::optional<Communicator::Facts> find_facts(const Native& mpi, MPI_Comm comm) {
  Communicator::Facts facts{.handle = comm};
  int between_groups = 0;
  const bool found = mpi.Comm_test_inter(comm, &between_groups) == MPI_SUCCESS &&
                     mpi.Comm_rank(comm, &facts.rank) == MPI_SUCCESS && mpi.Comm_size(comm, &facts.size) == MPI_SUCCESS;
  if (!found) return std::nullopt;
  if (facts.size == 1) facts.unusual = "a single rank";
  facts.is_between_groups = between_groups != 0;
  if (facts.is_between_groups) facts.unusual = "an intercommunicator";
  return facts;
}

std::string name_of(const Native& mpi, MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (mpi.Comm_get_name(comm, name, &length) != MPI_SUCCESS) return {};
  return {name, static_cast<std::size_t>(length)};
}

bool is_the_mpis(std::string_view name) {
  return name == "MPI_COMM_WORLD" || name == "MPI_COMM_SELF" || name == "MPI_COMM_PARENT";
}

}  // namespace

int Communicators::open(Make make) {
  make_ = make;
  closed_.store(false, std::memory_order_relaxed);
  return job_.mpi.Comm_create_keyval(no_copy<MPI_Comm>, on_delete, &keyval_, this);
}

void Communicators::close() {
  closed_.store(true, std::memory_order_relaxed);
  for (const auto& communicator : all_) communicator->stop_listening();  // asks the MPI: not under the lock
  {
    const std::lock_guard lock(mutex_);
    for (const auto& communicator : all_) retire(*communicator);
    all_.clear();
  }
  job_.mpi.Comm_free_keyval(&keyval_);
}

// To have the MPI raise no error, its handlers would have to be changed, and some MPIs treat a handler that was set
// unlike one that never was.
Communicators::Found Communicators::find_attached(MPI_Comm comm) const {
  if (comm == MPI_COMM_NULL || Freeing::is_under_way(comm)) return {};
  void* known = nullptr;
  int is_known = 0;
  const int status = job_.mpi.Comm_get_attr(comm, keyval_, &known, &is_known);
  return {is_known != 0 ? static_cast<Communicator*>(known) : nullptr, status};
}

Communicators::Found Communicators::add(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || Freeing::is_under_way(comm)) return {};
  const std::optional<Communicator::Facts> facts = find_facts(job_.mpi, comm);
  return facts ? add(*facts) : Found{};
}

// A handle may have been that of another one, which the MPI has yet to delete.
Communicator* Communicators::find_known(MPI_Comm comm) const {
  if (Communicator* const found = find(comm)) return found;
  if (Freeing::is_under_way(comm)) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto newest = std::find_if(all_.rbegin(), all_.rend(), [&](const auto& one) { return one->handle() == comm; });
  return newest != all_.rend() ? newest->get() : nullptr;
}

Communicators::Found Communicators::add(const Communicator::Facts& facts) {
  // In a list already, since nothing may fail once the attribute points to it.
  std::list<std::shared_ptr<Communicator>> made;
  Communicator* const communicator = made.emplace_back(make_(job_, ids_, facts)).get();
  note_name(*communicator);
  const int status = job_.mpi.Comm_set_attr(facts.handle, keyval_, communicator);
  if (status != MPI_SUCCESS) return {nullptr, status};
  const std::lock_guard lock(mutex_);
  show(communicator);
  all_.splice(all_.end(), made);
  return {communicator};
}

int Communicators::on_delete(MPI_Comm comm, int, void* value, void* communicators) {
  auto* self = static_cast<Communicators*>(communicators);
  auto* communicator = static_cast<Communicator*>(value);
  if (self->closed_.load(std::memory_order_relaxed) || Freeing::detach(comm, communicator)) return MPI_SUCCESS;
  self->remove(communicator);
  self->note_late_freeing(comm);
  return MPI_SUCCESS;
}

void Communicators::note_late_freeing(MPI_Comm comm) try {
  const std::lock_guard lock(mutex_);
  freed_late_.push_back(comm);
} catch (const std::bad_alloc&) {
  // The MPI calls this. Only a callback that uses the communicator even now could make us wrong about the next one.
}

void Communicators::hide(MPI_Comm comm) {
  const std::lock_guard lock(mutex_);
  table_.remove(number_of(comm));
}

void Communicators::show_again(MPI_Comm comm, Communicator* detached) {
  if (detached != nullptr) job_.mpi.Comm_set_attr(comm, keyval_, detached);
  const std::lock_guard lock(mutex_);
  const auto one = std::ranges::find(all_, comm, [](const auto& other) { return other->handle(); });
  if (one != all_.end()) show(one->get());
}

// The lock is held.
void Communicators::show(Communicator* communicator) {
  const bool was_freed_late = std::ranges::find(freed_late_, communicator->handle()) != freed_late_.end();
  if (!was_freed_late) table_.insert(number_of(communicator->handle()), communicator);
}

void Communicators::remove(Communicator* communicator) {
  const std::lock_guard lock(mutex_);
  retire(*communicator);
  std::erase_if(all_, [&](const auto& one) { return one.get() == communicator; });
}

void Communicators::retire(Communicator& communicator) {
  communicator.leave();
  communicator.finish_decisions();
  table_.remove(number_of(communicator.handle()));
  for (const Collective collective : all_collectives) {
    calls_of_gone_[static_cast<std::size_t>(collective)] += communicator.calls(collective);
  }
  try {
    lasting_.add(communicator.statistics);
    const bool is_still_reported = job_.reports() && !closed_.load(std::memory_order_relaxed);
    const bool has_room = contexts_of_gone_.size() < max_contexts_of_gone;
    if (is_still_reported && has_room) add_contexts(communicator, gone_, contexts_of_gone_);
  } catch (const std::bad_alloc&) {
    // The MPI calls this: the report will lack some rows.
  }
}

void Communicators::forget_decisions() {
  for (const auto& communicator : all_) communicator->end_reports();  // asks the MPI: not under the lock
  const std::lock_guard lock(mutex_);
  for (const auto& communicator : all_) communicator->forget_decisions();
}

CallCount Communicators::calls(Collective collective) const {
  const std::lock_guard lock(mutex_);
  CallCount total = calls_of_gone_[static_cast<std::size_t>(collective)];
  for (const auto& communicator : all_) total += communicator->calls(collective);
  return total;
}

void Communicators::note_name(Communicator& communicator) {
  if (job_.reports()) communicator.set_name(reported_name(name_of(job_.mpi, communicator.handle())));
}

const std::string& Communicators::reported_name(std::string_view name) {
  if (name.empty() || is_the_mpis(name)) return no_name;
  const std::lock_guard lock(mutex_);
  const bool has_room = names_.size() < max_names;
  const std::string shown = has_room ? printable(name) : "(other names)";
  return *names_.insert(shown).first;
}

StatisticsRow& Communicators::lasting_row(const RowKeyView& key) {
  const std::lock_guard lock(mutex_);
  return lasting_.row(key);
}

Statistics Communicators::statistics() const {
  const std::lock_guard lock(mutex_);
  Statistics total = lasting_;
  for (const auto& communicator : all_) total.add(communicator->statistics);
  return total;
}

namespace {

void add_saved(const ContextStory& story, RankContext& context) {
  const BelievedGain gain = believed_gain(story);
  context.collective = name_of(story.key.collective);
  context.saved_seconds = gain.saved_seconds * story.ranks;
  context.lost_seconds = gain.lost_seconds * story.ranks;
}

}  // namespace

// Ranks free communicators that they have in common in the same order, so these are numbered alike.
void Communicators::add_contexts(const Communicator& communicator, Before& before,
                                 std::vector<RankContext>& contexts) const {
  const std::uint64_t members = communicator.members_hash();
  const std::uint64_t name = hash_of_number(before.with_members[members]++, members);
  const bool leads = communicator.rank() == 0;
  const int number = leads ? before.led++ : 0;
  for (const auto& [story, measured] : communicator.stories()) {
    const std::uint64_t key = members != 0 ? hash_of_number(hash_of(story.key), name) : 0;
    const bool is_told = leads && !job_.settings.report.empty();
    contexts.push_back({key, measured, is_told ? json_of(story, job_.world_rank, number) : std::string()});
    if (leads) add_saved(story, contexts.back());
  }
}

std::vector<RankContext> Communicators::contexts() const {
  const std::lock_guard lock(mutex_);
  std::vector<RankContext> contexts = contexts_of_gone_;
  Before before = gone_;
  for (const auto& communicator : all_) add_contexts(*communicator, before, contexts);
  return contexts;
}

}  // namespace espalier
