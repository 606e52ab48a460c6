// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/sharing.hpp"

#include "algorithms/algorithm.hpp"
#include "mpi/prepared/preparation.hpp"

namespace espalier {

namespace {

const Function& allreduce() {
  static const Function function = {.name = "MPI_Allreduce",
                                    .collective = "allreduce",
                                    .contract = &contract_of(Collective::allreduce),
                                    .native = [](const Native& mpi, const Call& call) {
                                      return mpi.Allreduce(call.input, call.output, static_cast<int>(call.sent.count),
                                                           call.sent.type, call.op, call.comm);
                                    }};
  return function;
}

const Function& bcast() {
  static const Function function = {.name = "MPI_Bcast",
                                    .collective = "bcast",
                                    .contract = &contract_of(Collective::bcast),
                                    .native = [](const Native& mpi, const Call& call) {
                                      return mpi.Bcast(call.output, static_cast<int>(call.sent.count), call.sent.type,
                                                       call.root, call.comm);
                                    }};
  return function;
}

// Few numbers: as few steps as can be.
const Choice& quick_allreduce() {
  static const Choice quick = {.algorithm = find_algorithm(Collective::allreduce, "recursive_doubling")};
  return quick;
}

Call call_for(const Function& function, MPI_Comm comm, std::span<double> numbers) {
  return {.function = &function,
          .input = MPI_IN_PLACE,
          .output = numbers.data(),
          .sent = {.count = static_cast<MPI_Count>(numbers.size()), .type = MPI_DOUBLE},
          .op = MPI_SUM,
          .comm = comm};
}

Shared share(PreparedCommunicator& communicator, const Call& call, const Choice& choice) {
  const Classified found =
      classify(communicator.job(), call, communicator.rank(), communicator.size(), BufferUse::in_place);
  const Preparation ready = prepare({call, communicator, found, choice, communicator.staging});
  communicator.prepared.touch(*ready.prepared);
  return {*ready.prepared, ready.prepared->run_shared(communicator.call(), ready.buffers)};
}

}  // namespace

Shared share_sums(PreparedCommunicator& communicator, std::span<double> numbers) {
  return share(communicator, call_for(allreduce(), communicator.handle(), numbers), quick_allreduce());
}

Shared share_from_root(PreparedCommunicator& communicator, std::span<double> numbers, Rank root, const Choice& route) {
  Call call = call_for(bcast(), communicator.handle(), numbers);
  call.input = nullptr;
  call.op = MPI_OP_NULL;
  call.root = root;
  return share(communicator, call, route);
}

}  // namespace espalier
