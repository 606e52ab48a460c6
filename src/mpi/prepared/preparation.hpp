// SPDX-License-Identifier: Apache-2.0
// Gets all ready that a call needs to run on a schedule of ours.
#pragma once

#include "mpi/call/classify.hpp"
#include "mpi/call/staging.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

struct OwnCall {
  const Call& call;
  PreparedCommunicator& communicator;  // has joined
  const Classified& found;
  const Choice& choice;  // not native
  StagingMemory& staging;
  MpiEndpoint* behind_request = nullptr;  // where a run goes that others of its kind may be under way with; null: none
};

struct Preparation {
  Prepared* prepared = nullptr;
  std::unique_ptr<Staging> staging;         // null: the buffers are used as they are
  std::unique_ptr<Prepared> only_for_this;  // where `prepared` is not in the communicator's cache
  Buffers buffers;
  bool fits_others = true;     // what is only for this may serve calls of its kind later
  bool is_repeatable = false;  // the same call may run on it again, with its buffers as they are
};

// Local. Throws on allocation failure.
[[nodiscard]] Preparation prepare(const OwnCall& own);

// By what kind of data moves.
[[nodiscard]] Preparation prepare_bytes(const OwnCall& own);
[[nodiscard]] Preparation prepare_reduction(const OwnCall& own);

// What these share.
void add_to_key(const Partition::Given& given, PreparedKey& key);
[[nodiscard]] Prepared::Setup basic_setup(const OwnCall& own, const PreparedKey& key);
// `make(endpoint)`: if there is none with that key. `behind_request`: as OwnCall has it.
template <class Make>
void find_or_make(PreparedCommunicator& communicator, MpiEndpoint* behind_request, const PreparedKey& key, Make make,
                  Preparation& ready) {
  if (behind_request != nullptr) {
    if (behind_request == &communicator.endpoint()) {
      ready.only_for_this = communicator.idle.take([&](const Prepared& one) { return one.key() == key; });
    }
    if (!ready.only_for_this) ready.only_for_this = make(*behind_request);
    ready.prepared = ready.only_for_this.get();
  } else if (ready.prepared = communicator.prepared.find(key); ready.prepared == nullptr) {
    ready.prepared = &communicator.prepared.insert(key, make(communicator.endpoint()),
                                                   [&](const Prepared& old) { communicator.recent.forget(old); });
  }
}
template <class MakeSetup>
void find_or_prepare(const OwnCall& own, const PreparedKey& key, MakeSetup make_setup, Preparation& ready) {
  const auto make = [&](MpiEndpoint& endpoint) { return std::make_unique<Prepared>(make_setup(), endpoint); };
  find_or_make(own.communicator, own.behind_request, key, make, ready);
}
}  // namespace espalier
