// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/handle_table.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace espalier {
namespace {

using Table = HandleTable<int>;

TEST(HandleTable, finds_what_was_inserted) {
  auto table = std::make_unique<Table>();
  int value = 7;
  EXPECT_EQ(table->find(0x44000000), nullptr);
  table->insert(0x44000000, &value);
  EXPECT_EQ(table->find(0x44000000), &value);
  EXPECT_EQ(table->find(0x44000001), nullptr);
}

TEST(HandleTable, forgets_what_was_removed_and_takes_its_handle_again) {
  auto table = std::make_unique<Table>();
  int first = 1;
  int second = 2;
  table->insert(0x84000002, &first);
  table->remove(0x84000002);
  EXPECT_EQ(table->find(0x84000002), nullptr);
  table->insert(0x84000002, &second);
  EXPECT_EQ(table->find(0x84000002), &second);
}

TEST(HandleTable, drops_what_does_not_fit_but_never_finds_another) {
  auto table = std::make_unique<Table>();
  std::vector<int> values(100000);
  int found = 0;
  for (std::size_t k = 0; k < values.size(); ++k) table->insert(0x5500000000 + 64 * k, &values[k]);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const int* value = table->find(0x5500000000 + 64 * k);
    EXPECT_TRUE(value == nullptr || value == &values[k]);
    found += value != nullptr;
  }
  EXPECT_GT(found, 500);
}

TEST(HandleTable, is_read_by_many_threads_while_others_come_and_go) {
  auto table = std::make_unique<Table>();
  constexpr int readers = 3;
  std::vector<int> values(readers);
  for (int k = 0; k < readers; ++k) table->insert(1000 + k, &values[k]);
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int k = 0; k < readers; ++k) {
    threads.emplace_back([&, k] {
      while (!done) ASSERT_EQ(table->find(1000 + k), &values[k]);
    });
  }
  int other = 0;
  for (std::uintptr_t round = 0; round < 20000; ++round) {
    const std::uintptr_t handle = 1000 + readers + round % 2000;  // shares sets with those that are read
    table->insert(handle, &other);
    table->remove(handle);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace espalier
