// SPDX-License-Identifier: Apache-2.0
// Hand-made schedules, all ranks in this process, in many orders of completion.
#include <gtest/gtest.h>

#include <functional>

#include "../support/in_threads.hpp"
#include "hand_made.hpp"

namespace espalier::executors_test {
namespace {

using namespace hand_made;
using Number = std::int64_t;

void add(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  auto* t = static_cast<Number*>(target);
  for (std::size_t i = 0; i < elements; ++i) {
    t[i] = static_cast<const Number*>(left)[i] + static_cast<const Number*>(right)[i];
  }
}

using Vectors = std::vector<std::vector<Number>>;

// Rank r's element i; no two are alike.
Number value(Rank rank, std::size_t i) { return 1'000'000 * (rank + 1) + static_cast<Number>(i); }

Number sum_of(Rank ranks, std::size_t i) {
  Number sum = 0;
  for (Rank rank = 0; rank < ranks; ++rank) sum += value(rank, i);
  return sum;
}

struct Ensemble {
  Ensemble(Rank ranks, std::size_t elements, const std::function<Schedule(Rank)>& schedule_of)
      : inputs(ranks, std::vector<Number>(elements)), outputs(ranks, std::vector<Number>(elements, -1)) {
    for (Rank rank = 0; rank < ranks; ++rank) {
      for (std::size_t i = 0; i < elements; ++i) inputs[rank][i] = value(rank, i);
      schedules.push_back(schedule_of(rank));
      buffers.push_back({reinterpret_cast<const std::byte*>(inputs[rank].data()),
                         reinterpret_cast<std::byte*>(outputs[rank].data())});
    }
  }

  [[nodiscard]] std::string run(int segments, int window, MemoryNetwork::Seed seed) {
    return run_in_one_thread(participants(segments), how, window, seed);
  }
  [[nodiscard]] std::string run_threads(int segments, int window, MemoryNetwork::Seed seed, int times) {
    return run_in_threads(participants(segments), how, window, seed, times);
  }

  std::vector<Participant> participants(int segments) {
    partition = Partition({.blocks = schedules[0].blocks, .elements = inputs[0].size(), .segments = segments});
    std::vector<Participant> all;
    for (std::size_t rank = 0; rank < schedules.size(); ++rank)
      all.push_back({schedules[rank], buffers[rank], partition});
    return all;
  }

  Vectors inputs, outputs;
  std::vector<Schedule> schedules;
  std::vector<Buffers> buffers;
  Elements how{.stride_bytes = sizeof(Number), .reduction = {add, nullptr}, .copy = {}};
  Partition partition{Partition::Even{}};
};

// Calls body(elements, segments, window, seed) over the matrix.
void for_all_shapes(const std::function<void(std::size_t, int, int, MemoryNetwork::Seed)>& body) {
  MemoryNetwork::Seed seed = 1;
  for (const std::size_t elements : {0, 1, 5, 64, 1001}) {
    for (const int segments : {1, 3, 9}) {
      for (const int window : {1, 2, 4}) body(elements, segments, window, seed++);
    }
  }
}

TEST(GeneralExecutor, broadcasts_along_a_chain) {
  for_all_shapes([](std::size_t elements, int segments, int window, MemoryNetwork::Seed seed) {
    for (const Rank ranks : {1, 2, 5}) {
      Ensemble all(ranks, elements, [&](Rank me) { return chain_broadcast(me, ranks); });
      all.outputs[0] = all.inputs[0];
      ASSERT_EQ(all.run(segments, window, seed), "");
      for (const auto& output : all.outputs) ASSERT_EQ(output, all.inputs[0]) << "seed " << seed;
    }
  });
}

TEST(GeneralExecutor, reduces_along_a_chain_through_rings_of_scratch) {
  for_all_shapes([](std::size_t elements, int segments, int window, MemoryNetwork::Seed seed) {
    for (const Rank ranks : {1, 2, 5}) {
      Ensemble all(ranks, elements, [&](Rank me) { return chain_reduction(me, ranks); });
      ASSERT_EQ(all.run(segments, window, seed), "");
      for (std::size_t i = 0; i < elements; ++i) ASSERT_EQ(all.outputs.back()[i], sum_of(ranks, i)) << "seed " << seed;
    }
  });
}

TEST(GeneralExecutor, sums_on_a_ring_of_ranks_that_walk_over_blocks) {
  for_all_shapes([](std::size_t elements, int segments, int window, MemoryNetwork::Seed seed) {
    for (const Rank ranks : {1, 2, 3, 7}) {
      Ensemble all(ranks, elements, [&](Rank me) { return ring_allreduce(me, ranks); });
      ASSERT_EQ(all.run(segments, window, seed), "");
      for (const auto& output : all.outputs) {
        for (std::size_t i = 0; i < elements; ++i) ASSERT_EQ(output[i], sum_of(ranks, i)) << "seed " << seed;
      }
    }
  });
}

TEST(GeneralExecutor, exchanges_without_any_buffering) {
  Ensemble all(2, 10, exchange);
  ASSERT_EQ(all.run(3, 2, 7), "");
  EXPECT_EQ(all.outputs[0], all.inputs[1]);
  EXPECT_EQ(all.outputs[1], all.inputs[0]);
}

TEST(InProcess, reports_a_deadlock_with_rank_and_operation) {
  const Region message = blocks_of(Buffer::output, 1);
  Ensemble all(2, 4, [&](Rank me) {
    Script script;
    script.recv(1 - me, message);
    script.send(1 - me, message, {after_all_of(0)});  // both receive first
    return script.schedule();
  });
  const std::string report = all.run(1, 1, 42);
  EXPECT_NE(report.find("deadlock (seed 42)"), std::string::npos) << report;
  EXPECT_NE(report.find("rank 1: operation 0 (recv from 0, channel 0): 0 of 1 items done, 1 posted"), std::string::npos)
      << report;
  EXPECT_NE(report.find("channel 0 of 0 -> 1: 0 sends, 1 receives without a partner"), std::string::npos) << report;
}

TEST(InProcess, reports_messages_of_different_length) {
  Ensemble all(2, 4, [&](Rank me) {
    Script script(2);
    me == 0 ? script.send(1, blocks_of(Buffer::output, 1)) : script.recv(0, blocks_of(Buffer::output, 2));
    return script.schedule();
  });
  all.schedules[1].operations[0].merged = true;
  const std::string report = all.run(1, 1, 42);
  EXPECT_NE(report.find("length mismatch on channel 0 of 0 -> 1: 16 bytes sent, 32 expected"), std::string::npos)
      << report;
}

TEST(InProcess, reports_messages_that_nobody_receives) {
  Script script;
  script.copy(blocks_of(Buffer::output, 1), blocks_of(Buffer::input, 1));
  Script sender;
  sender.send(1, blocks_of(Buffer::input, 1));
  Ensemble all(2, 4, [&](Rank me) { return me == 0 ? sender.schedule() : script.schedule(); });
  EXPECT_NE(all.run(1, 1, 1).find("1 sends, 0 receives without a partner"), std::string::npos);
}

TEST(BoundSchedule, runs_many_times_in_threads_by_either_executor) {
  for (const int segments : {1, 5}) {
    Ensemble all(4, 100, [](Rank me) { return chain_reduction(me, 4); });
    ASSERT_EQ(all.run_threads(segments, 2, 11, 20), "");
    for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(all.outputs.back()[i], sum_of(4, i));
  }
}

TEST(BoundSchedule, moves_elements_by_the_callers_own_copy) {
  const auto negate = [](void* target, const void* source, std::size_t elements, const void*) {
    for (std::size_t i = 0; i < elements; ++i) {
      static_cast<Number*>(target)[i] = -static_cast<const Number*>(source)[i];
    }
  };
  for (const int segments : {1, 3}) {
    Ensemble all(1, 9, [](Rank me) { return chain_reduction(me, 1); });
    all.how.copy = {negate, nullptr};
    ASSERT_EQ(all.run_threads(segments, 1, 1, 1), "");
    EXPECT_EQ(all.outputs[0][8], -value(0, 8));
  }
}

}  // namespace
}  // namespace espalier::executors_test
