// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

namespace bench {

namespace {

using espalier::Call;
using espalier::CallBlocks;
using espalier::Collective;

// A block of a buffer.
template <class Element>
struct Block {
  Element* data;
  std::size_t count;
};

template <bool is_typed, class Element, class Buffer>
Block<Element> block_in(Buffer* buffer, const CallBlocks& blocks, int place) {
  const int displacement = static_cast<const int*>(blocks.displacements)[place];
  const int elements = is_typed ? displacement / static_cast<int>(sizeof(double)) : displacement;
  return {static_cast<Element*>(buffer) + elements,
          static_cast<std::size_t>(static_cast<const int*>(blocks.counts)[place])};
}

template <bool is_typed = false>
Block<const double> input(const Call& call, int place) {
  return block_in<is_typed, const double>(call.input, call.sent, place);
}

template <bool is_typed = false>
Block<double> output(const Call& call, int place) {
  return block_in<is_typed, double>(call.output, call.received, place);
}

void send(Work& work, Block<const double> block) {
  work.sent = block.data;
  work.sent_count = block.count;
}

void receive(Work& work, Block<double> block) {
  work.received = block.data;
  work.received_count = block.count;
}

void keep(Work& work, Block<const double> from, Block<double> to) {
  work.kept = from.data;
  work.kept_at = to.data;
  work.kept_count = from.count;
}

// A message that stays whole.
Block<const double> whole_input(const Call& call) { return input(call, 0); }
Block<double> whole_output(const Call& call) { return {static_cast<double*>(call.output), input(call, 0).count}; }

Work of_barrier(const Call&, int) { return {}; }

Work of_bcast(const Call& call, int rank) {
  Work work;
  const Block<double> buffer = whole_output(call);
  if (rank == call.root) {
    send(work, {buffer.data, buffer.count});
  } else {
    receive(work, buffer);
  }
  return work;
}

Work of_reduce(const Call& call, int rank) {
  Work work;
  if (rank != call.root) {
    send(work, whole_input(call));
  } else {
    receive(work, whole_output(call));
    work.mine = whole_input(call).data;
  }
  return work;
}

Work of_allreduce(const Call& call, int) {
  Work work;
  send(work, whole_input(call));
  receive(work, whole_output(call));
  work.mine = work.sent;
  return work;
}

Work of_allgather(const Call& call, int rank) {
  Work work;
  send(work, input(call, 0));
  receive(work, output(call, 1 - rank));
  keep(work, input(call, 0), output(call, rank));
  return work;
}

template <bool is_typed>
Work of_alltoall(const Call& call, int rank) {
  Work work;
  send(work, input<is_typed>(call, 1 - rank));
  receive(work, output<is_typed>(call, 1 - rank));
  keep(work, input<is_typed>(call, rank), output<is_typed>(call, rank));
  return work;
}

Work of_reduce_scatter(const Call& call, int rank) {
  Work work;
  send(work, input(call, 1 - rank));
  const Block<const double> own = input(call, rank);
  receive(work, {static_cast<double*>(call.output), own.count});
  work.mine = own.data;
  return work;
}

Work of_gather(const Call& call, int rank) {
  Work work;
  if (rank != call.root) {
    send(work, input(call, 0));
  } else {
    receive(work, output(call, 1 - rank));
    keep(work, input(call, 0), output(call, rank));
  }
  return work;
}

Work of_scatter(const Call& call, int rank) {
  Work work;
  if (rank != call.root) {
    receive(work, output(call, 0));
  } else {
    send(work, input(call, 1 - rank));
    keep(work, input(call, rank), output(call, 0));
  }
  return work;
}

Work of_scan(const Call& call, int rank) {
  Work work;
  if (rank == 0) {
    send(work, whole_input(call));
    keep(work, whole_input(call), whole_output(call));
  } else {
    receive(work, whole_output(call));
    work.mine = whole_input(call).data;
  }
  return work;
}

Work of_exscan(const Call& call, int rank) {
  Work work;
  if (rank == 0) {
    send(work, whole_input(call));
  } else {
    receive(work, whole_output(call));
  }
  return work;
}

}  // namespace

WorkOf work_of(const Function& function) {
  switch (function.contract.collective) {
    case Collective::barrier: return of_barrier;
    case Collective::bcast: return of_bcast;
    case Collective::reduce: return of_reduce;
    case Collective::allreduce: return of_allreduce;
    case Collective::allgather: return of_allgather;
    case Collective::alltoall: return function.is_typed ? of_alltoall<true> : of_alltoall<false>;
    case Collective::reduce_scatter: return of_reduce_scatter;
    case Collective::gather: return of_gather;
    case Collective::scatter: return of_scatter;
    case Collective::scan: return of_scan;
    case Collective::exscan: return of_exscan;
  }
  return of_barrier;
}

}  // namespace bench
