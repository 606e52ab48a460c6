// SPDX-License-Identifier: Apache-2.0
// All ranks in this process, over the real libfabric and the loopback.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "../../support/built.hpp"
#include "fabric_world.hpp"
#include "transport/fabric/lanes/lane.hpp"
#include "transport/fabric/protocol/peer.hpp"

namespace espalier {
namespace {

using fabric_world::BoundRank;
using fabric_world::World;

void add(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  for (std::size_t i = 0; i < elements; ++i) {
    static_cast<int*>(target)[i] = static_cast<const int*>(left)[i] + static_cast<const int*>(right)[i];
  }
}

constexpr Elements ints = {.stride_bytes = sizeof(int), .reduction = {add, nullptr}, .copy = {}};

// A collective of all ranks with its data.
struct Call {
  Call(World& world, Rank size, Collective collective, const char* algorithm, std::size_t elements, int segments)
      : inputs(static_cast<std::size_t>(size), std::vector<int>(elements)), outputs(inputs) {
    for (Rank rank = 0; rank < size; ++rank) {
      Schedule schedule = built(collective, algorithm, {.size = size}, rank);
      const Partition partition({.blocks = schedule.blocks, .elements = elements, .segments = segments});
      ranks.push_back(std::make_unique<BoundRank>(world, rank, std::move(schedule), partition, 4, ints));
    }
  }
  void fill(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (auto& input : inputs) {
      for (int& value : input) value = static_cast<int>(random() % 1000);
    }
    for (auto& output : outputs) std::ranges::fill(output, -1);
  }
  void start(std::uint64_t number) {
    is_over.assign(ranks.size(), false);
    for (Rank rank = 0; rank < static_cast<Rank>(ranks.size()); ++rank) start(rank, number);
  }
  void start(Rank one, std::uint64_t number) {
    const auto rank = static_cast<std::size_t>(one);
    ranks[rank]->bound.start(number, {reinterpret_cast<const std::byte*>(inputs[rank].data()),
                                      reinterpret_cast<std::byte*>(outputs[rank].data())});
    is_over[rank] = false;
  }
  // One step of each rank; true once all are through.
  bool advance() {
    bool all = true;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      // Who is through goes on with what others need to learn, as within calls of its MPI.
      if (is_over[rank]) (void)ranks[rank]->port.poll();
      if (!is_over[rank]) is_over[rank] = ranks[rank]->bound.advance();
      ranks[rank]->port.idle();
      all = all && is_over[rank];
    }
    return all;
  }
  [[nodiscard]] bool ends_within(std::chrono::seconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!advance()) {
      if (std::chrono::steady_clock::now() > end) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<int> sums() const {
    std::vector<int> result(inputs[0].size());
    for (const auto& input : inputs) std::ranges::transform(result, input, result.begin(), std::plus());
    return result;
  }
  void expect_sums() const {
    for (const auto& output : outputs) EXPECT_TRUE(output == sums());
  }

  std::vector<std::vector<int>> inputs, outputs;
  std::vector<std::unique_ptr<BoundRank>> ranks;
  std::vector<bool> is_over;
};

TEST(FabricPort, carries_schedules_of_all_kinds) {
  for (const int lanes : {1, 3}) {
    for (const Rank size : {2, 3, 5}) {
      World world(size, lanes);
      for (const char* const algorithm : {"ring", "recursive_doubling", "tree", "rabenseifner", "circulant"}) {
        for (const std::size_t elements : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{100'000}}) {
          Call call(world, size, Collective::allreduce, algorithm, elements, elements > 1000 ? 7 : 1);
          for (std::uint64_t run = 0; run < 3; ++run) {
            call.fill(run);
            call.start(run);
            ASSERT_TRUE(call.ends_within(std::chrono::seconds(20))) << algorithm << ' ' << size << ' ' << elements;
            call.expect_sums();
          }
        }
      }
    }
  }
}

TEST(FabricPort, uses_the_lanes_that_two_processes_have_in_common) {
  World world(std::vector<int>{1, 3, 2});
  Call call(world, 3, Collective::allreduce, "ring", 100'000, 7);
  call.fill(1);
  call.start(0);
  ASSERT_TRUE(call.ends_within(std::chrono::seconds(20)));
  call.expect_sums();
}

// Rank 0 sends a message to each of two others by its second NIC, which is so slow that its time is not over while a
// test lasts.
class TwoByOneNic {
 public:
  static constexpr std::size_t bytes = 4 * max_piece_bytes;

  explicit TwoByOneNic(double nic_bytes_per_second) : world_({2, 2, 2}, 1, nic_bytes_per_second) {
    for (std::size_t k = 0; k < 2 * bytes; ++k) buffers_[0][k] = static_cast<std::byte>(k % 251);
    for (Rank rank = 0; rank < 3; ++rank) {
      ports_.push_back(std::make_unique<FabricPort>(world_[rank], world_.group()));
      ports_.back()->open({.output = 2 * bytes}, {});
      ports_.back()->reserve(2);
    }
  }
  void begin(std::uint64_t run) {
    for (std::size_t rank = 0; rank < 3; ++rank) ports_[rank]->begin(run, {.output = buffers_[rank].data()});
    for (std::size_t to = 1; to < 3; ++to) {
      std::ranges::fill(buffers_[to], std::byte{});
      ports_[0]->send(static_cast<Token>(to - 1),
                      {.peer = static_cast<Rank>(to), .path = only_by(1), .data = from(to), .bytes = bytes});
      ports_[to]->recv(0, {.peer = 0, .path = by_all_in_turn, .data = buffers_[to].data(), .bytes = bytes});
    }
    over_ = 0;
  }
  // As for other runs of rank 0.
  void make_progress() {
    const std::lock_guard guard(world_[0].lock());
    (void)world_[0].progress();
  }
  void poll(std::size_t rank) { over_ += ports_[rank]->poll().size(); }
  [[nodiscard]] std::size_t under_way(std::size_t nic) { return world_[0].lanes()[nic]->bytes_under_way(); }
  // The most that was under way meanwhile.
  [[nodiscard]] std::size_t finish() {
    std::size_t most = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (over_ < 4 && std::chrono::steady_clock::now() < end) {
      for (std::size_t rank = 0; rank < 3; ++rank) poll(rank);
      most = std::max(most, under_way(1));
    }
    EXPECT_EQ(over_, 4);
    EXPECT_EQ(under_way(0), 0);
    for (std::size_t to = 1; to < 3; ++to) EXPECT_TRUE(std::equal(from(to), from(to) + bytes, buffers_[to].data()));
    for (const auto& port : ports_) port->end();
    return most;
  }

 private:
  [[nodiscard]] std::byte* from(std::size_t to) { return &buffers_[0][(to - 1) * bytes]; }

  World world_;
  std::vector<std::vector<std::byte>> buffers_ = std::vector(3, std::vector<std::byte>(2 * bytes));
  std::vector<std::unique_ptr<FabricPort>> ports_;
  std::size_t over_ = 0;
};

TEST(FabricPort, begins_a_message_for_one_nic_when_that_is_nearly_through_with_the_one_before) {
  TwoByOneNic messages(max_piece_bytes / 9.0);
  messages.begin(0);
  EXPECT_LE(messages.finish(), TwoByOneNic::bytes + max_piece_bytes);
}

// As an application that computes between start and wait, where nobody would look when the NIC is free.
TEST(FabricPort, begins_all_messages_at_once_after_a_run_at_which_nobody_looked_soon) {
  using namespace std::chrono_literals;
  TwoByOneNic messages(max_piece_bytes);
  messages.begin(0);
  std::this_thread::sleep_for(600ms);  // longer than an eighth of what both NICs take
  (void)messages.finish();
  messages.begin(1);
  for (const std::size_t receiver : {1, 2}) messages.poll(receiver);  // which grant, and then say nothing
  const auto end = std::chrono::steady_clock::now() + 2s;
  while (messages.under_way(1) < 2 * TwoByOneNic::bytes && std::chrono::steady_clock::now() < end)
    messages.make_progress();
  EXPECT_EQ(messages.under_way(1), 2 * TwoByOneNic::bytes);
  (void)messages.finish();
}

// As in a wrong program, whose ranks do not agree on a count: what would go beyond the receiver's memory is not sent.
TEST(FabricPort, fails_where_a_message_is_longer_than_its_receiver_expects) {
  World world(2, 1);
  std::vector<std::vector<std::byte>> buffers = {std::vector<std::byte>(1000), std::vector<std::byte>(500)};
  std::vector<std::unique_ptr<BoundRank>> ranks;
  for (Rank rank = 0; rank < 2; ++rank) {
    Schedule schedule = built(Collective::bcast, "chain", {.size = 2}, rank);
    const std::size_t bytes = buffers[static_cast<std::size_t>(rank)].size();
    const Partition partition({.blocks = schedule.blocks, .elements = bytes, .segments = 1});
    ranks.push_back(std::make_unique<BoundRank>(world, rank, std::move(schedule), partition, 4, Elements{}));
    std::byte* const buffer = buffers[static_cast<std::size_t>(rank)].data();
    ranks.back()->bound.start(0, {buffer, buffer});
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!ranks[0]->port.failed() && std::chrono::steady_clock::now() < end) {
    for (const auto& rank : ranks) (void)rank->bound.advance();
  }
  EXPECT_EQ(ranks[0]->port.take_error(), other_length);
}

// One of them cannot reach another one: a caller that waits for it, or for those that wait, learns of it, also if it
// begins only then; and the next run is as any other.
TEST(FabricPort, fails_on_all_ranks_where_it_fails_on_one) {
  constexpr Rank size = 4, last = 3;
  World world(size, 2);
  Call call(world, size, Collective::allreduce, "ring", 300'000, 8);
  call.fill(1);
  call.is_over = {false, false, false, true};
  for (Rank rank = 0; rank < last; ++rank) call.start(rank, 1);
  for (int step = 0; step < 50; ++step) (void)call.advance();
  call.ranks[0]->port.fail(lack_of_lanes, 1);
  for (int step = 0; step < 50; ++step) (void)call.advance();
  call.start(last, 1);
  ASSERT_TRUE(call.ends_within(std::chrono::seconds(20)));
  for (Rank rank = 0; rank < size; ++rank) {
    FabricPort& port = call.ranks[static_cast<std::size_t>(rank)]->port;
    EXPECT_TRUE(port.failed()) << rank;
    EXPECT_EQ(port.take_error(), rank == 0 ? lack_of_lanes : aborted_elsewhere) << rank;
  }
  call.fill(2);
  call.start(2);
  ASSERT_TRUE(call.ends_within(std::chrono::seconds(20)));
  call.expect_sums();
}

// As if links broke, again and again: what was under way may have arrived or not.
TEST(FabricPort, loses_and_repeats_nothing_where_epochs_end_at_any_time) {
  constexpr Rank size = 4;
  for (const int lanes : {1, 2}) {
    World world(size, lanes, 2);
    Call ring(world, size, Collective::allreduce, "ring", 300'000, 8),
        tree(world, size, Collective::allreduce, "tree", 200'000, 9);
    std::mt19937_64 random(static_cast<std::uint64_t>(lanes));
    for (std::uint64_t run = 0; run < 40; ++run) {
      Call& call = run % 2 == 0 ? ring : tree;
      call.fill(run);
      call.start(run);
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      bool is_over = false;
      for (int step = 0; !is_over && std::chrono::steady_clock::now() < end; ++step) {
        is_over = call.advance();
        if (step < 400 && random() % 10 == 0) {
          const auto one = static_cast<Rank>(random() % size), other = static_cast<Rank>(random() % size);
          if (one != other) world[one].peer(other).fence();
        }
      }
      ASSERT_TRUE(is_over) << "run " << run << " does not end";
      call.expect_sums();
    }
    std::uint64_t epochs = 0;
    for (Rank rank = 0; rank < size; ++rank) epochs += world[rank].epochs;
    EXPECT_GT(epochs, 100u);
  }
}

}  // namespace
}  // namespace espalier
