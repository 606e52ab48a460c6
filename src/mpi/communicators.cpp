// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators.hpp"

#include <algorithm>

#include "mpi/context.hpp"

namespace espalier {

namespace {

int no_copy(MPI_Comm, int, void*, void*, void*, int* copied) {
  *copied = 0;
  return MPI_SUCCESS;
}

// Nothing if the MPI does not know the communicator.
std::optional<Communicator::Facts> find_facts(const Native& mpi, MPI_Comm comm) {
  Communicator::Facts facts{.handle = comm};
  int between_groups = 0;
  const bool found = mpi.Comm_test_inter(comm, &between_groups) == MPI_SUCCESS &&
                     mpi.Comm_rank(comm, &facts.rank) == MPI_SUCCESS && mpi.Comm_size(comm, &facts.size) == MPI_SUCCESS;
  if (!found) return std::nullopt;
  if (facts.size == 1) facts.unusual = "a single rank";
  if (between_groups != 0) facts.unusual = "an intercommunicator";
  return facts;
}

}  // namespace

int Communicators::open(const Native& mpi) {
  closed_.store(false, std::memory_order_relaxed);
  return mpi.Comm_create_keyval(no_copy, on_delete, &keyval_, this);
}

void Communicators::close(const Native& mpi) {
  closed_.store(true, std::memory_order_relaxed);
  {
    const std::lock_guard lock(mutex_);
    for (const auto& communicator : all_) retire(*communicator);
    all_.clear();
  }
  mpi.Comm_free_keyval(&keyval_);
}

Communicator* Communicators::find_or_add(const Native& mpi, MPI_Comm comm) {
  void* known = nullptr;
  int is_known = 0;
  if (mpi.Comm_get_attr(comm, keyval_, &known, &is_known) != MPI_SUCCESS) return nullptr;
  if (is_known != 0) return static_cast<Communicator*>(known);
  const std::optional<Communicator::Facts> facts = find_facts(mpi, comm);
  if (!facts) return nullptr;
  auto made = std::make_unique<Communicator>(*facts, context->settings.cache);
  made->find_network();
  if (mpi.Comm_set_attr(comm, keyval_, made.get()) != MPI_SUCCESS) return nullptr;
  const std::lock_guard lock(mutex_);
  table_.insert(number_of(comm), made.get());
  return all_.emplace_back(std::move(made)).get();
}

int Communicators::on_delete(MPI_Comm, int, void* value, void* communicators) {
  auto* self = static_cast<Communicators*>(communicators);
  if (!self->closed_.load(std::memory_order_relaxed)) self->remove(static_cast<Communicator*>(value));
  return MPI_SUCCESS;
}

void Communicators::remove(Communicator* communicator) {
  const std::lock_guard lock(mutex_);
  retire(*communicator);
  std::erase_if(all_, [&](const auto& one) { return one.get() == communicator; });
}

void Communicators::retire(const Communicator& communicator) {
  table_.remove(number_of(communicator.handle()));
  for (const Collective collective : all_collectives) {
    calls_of_gone_[static_cast<std::size_t>(collective)] += communicator.calls(collective);
  }
  statistics_of_gone_.add(communicator.statistics);
}

void Communicators::forget_decisions() {
  const std::lock_guard lock(mutex_);
  for (const auto& communicator : all_) communicator->forget_decisions();
}

CallCount Communicators::calls(Collective collective) const {
  const std::lock_guard lock(mutex_);
  CallCount total = calls_of_gone_[static_cast<std::size_t>(collective)];
  for (const auto& communicator : all_) total += communicator->calls(collective);
  return total;
}

Statistics Communicators::statistics() const {
  const std::lock_guard lock(mutex_);
  Statistics total = statistics_of_gone_;
  for (const auto& communicator : all_) total.add(communicator->statistics);
  return total;
}

}  // namespace espalier
