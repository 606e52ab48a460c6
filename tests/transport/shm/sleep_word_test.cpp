// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/sleep_word.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "../../support/shared_bytes.hpp"

namespace espalier {
namespace {

using namespace std::chrono_literals;

bool has_nothing() { return false; }

class Sleep : public testing::Test {
 protected:
  SharedBytes memory{SleepWord::bytes};
  SleepWord word{memory.data()};
};

TEST_F(Sleep, ends_at_once_where_there_is_something_to_do) {
  EXPECT_TRUE(word.sleep(1h, [] { return true; }));
}

TEST_F(Sleep, ends_by_itself_where_nobody_wakes) { EXPECT_FALSE(word.sleep(1ms, has_nothing)); }

TEST_F(Sleep, ends_when_somebody_has_written_something) {
  std::atomic<bool> is_awake = false;
  std::thread other([&] {
    while (!is_awake) {
      word.wake_if_asleep();
      std::this_thread::yield();
    }
  });
  for (int turn = 0; turn < 200; ++turn) {
    while (!word.sleep(1h, has_nothing)) {  // it may end early: that of the turn before comes late
    }
  }
  is_awake = true;
  other.join();
}

// It was written when the sleeper looked for the last time, before it slept.
TEST_F(Sleep, does_not_begin_after_it_was_ended) {
  EXPECT_TRUE(word.sleep(1h, [&] {
    word.wake_if_asleep();
    return false;
  }));
}

}  // namespace
}  // namespace espalier
