// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/sharing.hpp"

#include "algorithms/algorithm.hpp"
#include "mpi/calls/preparation.hpp"

namespace espalier {

namespace {

const Function& function() {
  static const Function allreduce = {.name = "MPI_Allreduce",
                                     .collective = "allreduce",
                                     .contract = &contract_of(Collective::allreduce),
                                     .native = [](const Native& mpi, const Call& call) {
                                       return mpi.Allreduce(call.input, call.output, static_cast<int>(call.sent.count),
                                                            call.sent.type, call.op, call.comm);
                                     }};
  return allreduce;
}

// Few numbers: as few steps as can be.
const Choice& choice() {
  static const Choice quick = {.algorithm = find_algorithm(Collective::allreduce, "recursive_doubling")};
  return quick;
}

Call call_for(MPI_Comm comm, std::span<double> numbers) {
  return {.function = &function(),
          .input = MPI_IN_PLACE,
          .output = numbers.data(),
          .sent = {.count = static_cast<MPI_Count>(numbers.size()), .type = MPI_DOUBLE},
          .op = MPI_SUM,
          .comm = comm};
}

}  // namespace

Shared share_sums(PreparedCommunicator& communicator, std::span<double> numbers) {
  const Call call = call_for(communicator.handle(), numbers);
  const Classified found =
      classify(communicator.job(), call, communicator.rank(), communicator.size(), BufferUse::in_place);
  const Preparation ready = prepare({call, communicator, found, choice(), communicator.staging});
  communicator.prepared.touch(*ready.prepared);
  return {*ready.prepared, ready.prepared->run(communicator.call(), ready.buffers)};
}

}  // namespace espalier
