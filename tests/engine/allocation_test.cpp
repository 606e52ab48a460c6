// SPDX-License-Identifier: Apache-2.0
// No run allocates, not even the first.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "engine/bound.hpp"
#include "hand_made.hpp"
#include "transport/memory/memory.hpp"

namespace {
thread_local bool counting = false;
thread_local int allocations = 0;

void* counted(std::size_t bytes) {
  if (counting) ++allocations;
  return std::malloc(bytes);
}
}  // namespace

// Both forms of new, for both end in the same delete: std::stable_sort takes its buffer from the one that never throws.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* memory = counted(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(bytes); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace espalier::allocation_test {
namespace {

using namespace hand_made;

// What the memory network itself allocates does not count.
class Uncounted {
 public:
  explicit Uncounted(MemoryPort& inner) : inner_(inner) {}
  void reserve(std::size_t tokens) { inner_.reserve(tokens); }
  void begin(std::uint64_t run, const RunMemory& memory) { inner_.begin(run, memory); }
  void send(Token token, const Message& message) {
    apart([&] { inner_.send(token, message); });
  }
  void recv(Token token, const Message& message) {
    apart([&] { inner_.recv(token, message); });
  }
  bool test(Token token) {
    bool done = false;
    apart([&] { done = inner_.test(token); });
    return done;
  }
  void wait(Token token) {
    apart([&] { inner_.wait(token); });
  }
  std::span<const Token> poll() {
    std::span<const Token> tokens;
    apart([&] { tokens = inner_.poll(); });
    return tokens;
  }
  void idle() { inner_.idle(); }
  [[nodiscard]] bool failed() const { return inner_.failed(); }
  [[nodiscard]] int take_error() { return inner_.take_error(); }
  void end() { inner_.end(); }
  void abandon() { inner_.abandon(); }

 private:
  template <class Work>
  void apart(const Work& work) {
    const bool before = std::exchange(counting, false);
    work();
    counting = before;
  }
  MemoryPort& inner_;
};

// A rank that sends to itself through a ring of scratch slots.
Schedule to_myself() {
  Script script(3);
  const Region ring = slots_of(script.area(Area::Kind::ring, 1), 3);
  script.send(0, blocks_of(Buffer::input, 3));
  script.recv(0, ring, {lagging(2)});
  script.copy(blocks_of(Buffer::output, 3), ring, {after(1)});
  return script.schedule();
}

Schedule merged(Schedule schedule) {
  for (Operation& operation : schedule.operations) operation.merged = true;
  return schedule;
}

int allocations_of_runs(const Schedule& schedule, bool flat) {
  MemoryNetwork network(5);
  MemoryPort memory(network, 0);
  Uncounted transport(memory);
  const Partition partition({.blocks = schedule.blocks, .elements = 1000, .segments = 4});
  BoundSchedule<Uncounted> bound(schedule, partition, 2, Elements{}, transport);
  EXPECT_EQ(is_flat(bound.schedule(), bound.layout().items()), flat);
  std::vector<std::byte> input(1000, std::byte{7}), output(1000);
  allocations = 0;
  counting = true;
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(bound.run(static_cast<std::uint64_t>(k), {input.data(), output.data()}));
  counting = false;
  EXPECT_EQ(input, output);
  return allocations;
}

TEST(BoundSchedule, allocates_nothing_in_a_run_of_the_general_executor) {
  EXPECT_EQ(allocations_of_runs(to_myself(), false), 0);
}

TEST(BoundSchedule, allocates_nothing_in_a_run_of_the_flat_executor) {
  Script script;
  script.send(0, blocks_of(Buffer::input, 1));
  script.recv(0, blocks_of(Buffer::output, 1));
  EXPECT_EQ(allocations_of_runs(merged(script.schedule()), true), 0);
}

}  // namespace
}  // namespace espalier::allocation_test
