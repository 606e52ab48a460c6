// SPDX-License-Identifier: Apache-2.0
#include "mpi/own.hpp"

#include "contract/contract.hpp"
#include "mpi/intercept.hpp"
#include "mpi/own_reduction.hpp"

namespace espalier {

namespace {

int broadcast_staged(const OwnCall& own, Prepared& prepared, std::byte* packed) {
  const auto& [call, communicator, found, choice] = own;
  const SelfCopy self_copy = self_copy_of(communicator);
  const UserData data{call.output, call.count, call.type};
  const bool is_root = communicator.rank() == call.root;
  int status = is_root ? pack(self_copy, data, found.facts, packed) : MPI_SUCCESS;
  if (status != MPI_SUCCESS) return raise_for_all(call, communicator, status);
  status = do_own(call, communicator, prepared, {packed, packed});
  if (status != MPI_SUCCESS) return status;
  if (!is_root) status = unpack(self_copy, data, found.facts, packed);
  communicator.staging.release_if_large();
  return status == MPI_SUCCESS ? status : raise(call, communicator, status);
}

}  // namespace

SelfCopy self_copy_of(const Communicator& communicator) {
  const MpiPeers& peers = communicator.peers();
  return {peers.mpi, peers.traffic, peers.world_ranks[communicator.rank()], peers.first_tag};
}

Prepared& find_or_prepare(const OwnCall& own, const PreparedKey& key, const std::function<Prepared::Setup()>& setup) {
  Communicator& communicator = own.communicator;
  if (Prepared* known = communicator.prepared.find(key)) return *known;
  auto made = std::make_unique<Prepared>(setup(), communicator.peers(), communicator.watch());
  return communicator.prepared.insert(key, std::move(made),
                                      [&](const Prepared& old) { communicator.recent.forget(old); });
}

Prepared::Setup basic_setup(const OwnCall& own, const PreparedKey& key) {
  return {.key = key,
          .choice = own.choice,
          .shape = own.communicator.shape(),
          .me = own.communicator.rank(),
          .elements = {},
          .arithmetic = nullptr,
          .wire = {}};
}

int do_own(const OwnCall& own, const std::function<void(Prepared&)>& repeatable) {
  const auto& [call, communicator, found, choice] = own;
  if (contract_of(call.collective).reduces) return do_own_reduction(own, repeatable);
  const PreparedKey key{.problem = found.problem};
  Prepared* prepared = nullptr;
  std::byte* packed = nullptr;
  const int status = guarded(call, [&, &communicator = communicator, &call = call, &found = found] {
    prepared = &find_or_prepare(own, key, [&] { return basic_setup(own, key); });
    const bool is_bcast = call.collective == Collective::bcast;
    const bool is_packed = is_bcast && !context->contiguity.is_contiguous(call.type, found.facts);
    if (is_packed) packed = communicator.staging.at_least(found.problem.bytes());
  });
  if (status != MPI_SUCCESS) return raise_for_all(call, communicator, status);
  if (packed != nullptr) return broadcast_staged(own, *prepared, packed);
  repeatable(*prepared);
  return do_own(call, communicator, *prepared, buffers_of(call, BufferUse::in_place));
}

}  // namespace espalier
