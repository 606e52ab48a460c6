// SPDX-License-Identifier: Apache-2.0
// The trampolines are part of this program, so its calls go through them to fake_mpi.
#include "preload/interception.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "preload/trampolines/trampolines.hpp"

extern "C" {
int MPI_Barrier(void* communicator);
int PMPI_Barrier(void* communicator);
int fake_mpi_calls();
}

namespace espalier {
namespace {

void* const world = reinterpret_cast<void*>(1);

std::size_t profiling_slot(const char* name) {
  for (std::size_t i = 0; i < intercepted_count; ++i) {
    if (std::strcmp(intercepted_functions[i].name(), name) == 0) return 2 * i + 1;
  }
  return slot_count;
}

void* content(std::size_t slot) { return std::atomic_ref(espalier_slots[slot]).load(); }

class Interception : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("ESPALIER", "off", 1); }  // no backend lies next to a test
};

// Calls from many threads, half of them by each name, all of which meet at the first one.
int wrong_results_of_threads() {
  constexpr int threads_count = 8;
  constexpr int calls = 500;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < threads_count; ++i) {
    threads.emplace_back([&wrong] {
      for (int call = 0; call < calls; ++call) wrong += (call % 2 ? MPI_Barrier(world) : PMPI_Barrier(world)) != 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

TEST_F(Interception, threads_that_meet_at_the_first_call_all_arrive) {
  const int before = fake_mpi_calls();
  EXPECT_EQ(wrong_results_of_threads(), 0);
  EXPECT_EQ(fake_mpi_calls() - before, 8 * 500);
}

TEST_F(Interception, slot_remembers_its_function_after_the_first_call) {
  EXPECT_EQ(PMPI_Barrier(world), 0);
  const std::size_t slot = profiling_slot("MPI_Barrier");
  EXPECT_NE(content(slot), espalier_lazy_stubs[slot]);
}

// Last: there is no route back.
TEST_F(Interception, slot_forgets_its_function_once_every_call_is_resolved) {
  const std::size_t slot = profiling_slot("MPI_Barrier");
  std::thread turn([] { resolve_every_call(); });
  EXPECT_EQ(wrong_results_of_threads(), 0);
  turn.join();
  EXPECT_EQ(PMPI_Barrier(world), 0);
  EXPECT_EQ(content(slot), espalier_lazy_stubs[slot]);
}

}  // namespace
}  // namespace espalier
