// SPDX-License-Identifier: Apache-2.0
#include "simulate/child_work.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace espalier {

namespace {

TEST(ChildWork, what_another_process_works_out_comes_back) {
  const pid_t here = getpid();
  const auto work = [] { return getpid(); };
  ChildWork<decltype(work)> child(work);
  EXPECT_NE(child.result(), here);
}

TEST(ChildWork, work_whose_process_dies_is_done_here) {
  const pid_t here = getpid();
  const auto work = [here] {
    if (getpid() != here) raise(SIGKILL);
    return 7;
  };
  ChildWork<decltype(work)> child(work);
  EXPECT_EQ(child.result(), 7);
}

TEST(ChildWork, work_that_throws_does_so_here) {
  const auto work = []() -> int { throw std::logic_error("ranks wait for each other"); };
  ChildWork<decltype(work)> child(work);
  EXPECT_THROW((void)child.result(), std::logic_error);
}

TEST(ChildWork, nobody_waits_for_work_that_is_not_wanted_any_more) {
  const auto work = [] {
    sleep(600);
    return 7;
  };
  const ChildWork<decltype(work)> child(work);
}

}  // namespace

}  // namespace espalier
