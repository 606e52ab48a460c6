// SPDX-License-Identifier: Apache-2.0
// Schedules written by hand, operation by operation, so that the engine is tested apart from the builder.
#pragma once

#include <initializer_list>

#include "engine/progress.hpp"
#include "schedule/partition.hpp"

namespace espalier::hand_made {

inline Region blocks_of(Buffer buffer, int blocks, Walk walk = {}) { return {buffer, -1, blocks, walk, walk}; }
inline Region slots_of(int area, int blocks, Walk label = {}) { return {Buffer::scratch, area, blocks, Walk{}, label}; }

inline Dependency after(std::uint32_t operation, int shift = 0) {
  return {operation, shift, Dependency::Kind::aligned};
}
inline Dependency lagging(std::uint32_t operation) { return {operation, 0, Dependency::Kind::lagged}; }
inline Dependency after_all_of(std::uint32_t operation) { return {operation, 0, Dependency::Kind::whole}; }
inline Dependency after_posting(std::uint32_t operation) { return {operation, 0, Dependency::Kind::posted}; }
inline Dependency in_step_with(std::uint32_t operation) { return {operation, 0, Dependency::Kind::in_step}; }

// A schedule whose progress is watched, each block in this many segments.
struct Watched {
  Watched(const Schedule& schedule, int segments, int window)
      : partition(unit_partition(schedule.blocks, segments)),
        items(schedule, partition),
        progress(schedule, items, window) {}

  Partition partition;
  Items items;
  Progress progress;
};

class Script {
 public:
  using Dependencies = std::initializer_list<Dependency>;

  explicit Script(int blocks = 1) { schedule_.blocks = blocks; }

  int area(Area::Kind kind, int blocks, Walk labels = {}) {
    schedule_.areas.push_back({kind, blocks, labels});
    return static_cast<int>(schedule_.areas.size()) - 1;
  }
  std::uint32_t send(Rank to, const Region& source, Dependencies dependencies = {}, Channel channel = 0) {
    Operation operation{.kind = Operation::Kind::send, .channel = channel, .peers = always(to)};
    operation.source = source;
    return add(operation, dependencies);
  }
  std::uint32_t recv(Rank from, const Region& target, Dependencies dependencies = {}, Channel channel = 0) {
    Operation operation{.kind = Operation::Kind::recv, .channel = channel, .peers = always(from)};
    operation.target = target;
    return add(operation, dependencies);
  }
  std::uint32_t reduce(const Region& target, const Region& left, const Region& right, Dependencies dependencies = {}) {
    Operation operation{.kind = Operation::Kind::reduce};
    operation.target = target;
    operation.source = left;
    operation.source_right = right;
    return add(operation, dependencies);
  }
  std::uint32_t copy(const Region& target, const Region& source, Dependencies dependencies = {}) {
    Operation operation{.kind = Operation::Kind::copy};
    operation.target = target;
    operation.source = source;
    return add(operation, dependencies);
  }
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }

 private:
  std::uint32_t add(Operation operation, Dependencies dependencies) {
    operation.first_dependency = static_cast<std::uint32_t>(schedule_.dependencies.size());
    operation.dependency_count = static_cast<std::uint32_t>(dependencies.size());
    schedule_.dependencies.insert(schedule_.dependencies.end(), dependencies);
    schedule_.operations.push_back(operation);
    return static_cast<std::uint32_t>(schedule_.operations.size()) - 1;
  }
  Schedule schedule_;
};

// A broadcast from rank 0 along the ranks.
inline Schedule chain_broadcast(Rank me, Rank size) {
  const Region message = blocks_of(Buffer::output, 1);
  Script script;
  if (me > 0) script.recv(me - 1, message);
  if (me + 1 < size && me > 0) script.send(me + 1, message, {after(0)});
  if (me + 1 < size && me == 0) script.send(me + 1, message);
  return script.schedule();
}

// The sum over all ranks at the last one: partial sums run along the ranks, through a ring of scratch slots.
inline Schedule chain_reduction(Rank me, Rank size) {
  const Region input = blocks_of(Buffer::input, 1), output = blocks_of(Buffer::output, 1);
  Script script;
  if (me == 0) {
    size == 1 ? script.copy(output, input) : script.send(1, input);
    return script.schedule();
  }
  const Region incoming = slots_of(script.area(Area::Kind::ring, 1), 1);
  if (me == size - 1) {
    script.recv(me - 1, incoming, {lagging(1)});
    script.reduce(output, incoming, input, {after(0)});
    return script.schedule();
  }
  const Region outgoing = slots_of(script.area(Area::Kind::ring, 1), 1);
  script.recv(me - 1, incoming, {lagging(1)});
  script.reduce(outgoing, incoming, input, {after(0), lagging(2)});
  script.send(me + 1, outgoing, {after(1)});
  return script.schedule();
}

// Allreduce on a ring of ranks: reduce-scatter, then allgather, each operation walking over the blocks.
inline Schedule ring_allreduce(Rank me, Rank size) {
  Script script(size);
  const Rank next = (me + 1) % size, previous = (me + size - 1) % size;
  const auto walk = [&](int first) { return Walk{wrap(first, size), -1, size}; };
  const int steps = size - 1;
  if (steps == 0) {
    script.copy(blocks_of(Buffer::output, 1), blocks_of(Buffer::input, 1));
    return script.schedule();
  }
  const Region incoming = slots_of(script.area(Area::Kind::ring, 1), steps, walk(me - 1));
  const Region sums = blocks_of(Buffer::output, steps, walk(me - 1));
  script.send(next, blocks_of(Buffer::input, 1, walk(me)));                                  // 0
  script.recv(previous, incoming, {lagging(2)});                                             // 1
  script.reduce(sums, incoming, blocks_of(Buffer::input, steps, walk(me - 1)), {after(1)});  // 2
  script.send(next, sums, {after(2), after_posting(0)});                                     // 3: the last sum is final
  const Region gathered = blocks_of(Buffer::output, steps, walk(me));
  script.recv(previous, gathered, {after_posting(1), after(3, -1)});  // 4: a block's partial sum has left before
  if (steps > 1) {
    script.send(next, blocks_of(Buffer::output, steps - 1, walk(me)), {after(4), after_posting(3)});  // 5
  }
  return script.schedule();
}

// Two ranks send to each other at once.
inline Schedule exchange(Rank me) {
  Script script;
  script.send(1 - me, blocks_of(Buffer::input, 1));
  script.recv(1 - me, blocks_of(Buffer::output, 1));
  return script.schedule();
}

}  // namespace espalier::hand_made
