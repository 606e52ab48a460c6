// SPDX-License-Identifier: Apache-2.0
#include "report/call_sites.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace espalier {
namespace {

const void* address(std::size_t number) { return reinterpret_cast<const void*>(number); }

std::vector<CallSites::Site> all_of(const CallSites& sites) {
  std::vector<CallSites::Site> all;
  sites.for_each([&](const CallSites::Site& site) { all.push_back(site); });
  return all;
}

TEST(CallSites, tell_places_and_functions_apart) {
  const auto sites = std::make_unique<CallSites>();
  const char* const bcast = "MPI_Bcast";
  const char* const barrier = "MPI_Barrier";
  CallSums& one = sites->at(address(0x1000), bcast);
  EXPECT_EQ(&sites->at(address(0x1000), bcast), &one);
  EXPECT_NE(&sites->at(address(0x1000), barrier), &one);
  EXPECT_NE(&sites->at(address(0x1008), bcast), &one);
  EXPECT_EQ(all_of(*sites).size(), 3u);
}

TEST(CallSites, put_all_beyond_their_number_together) {
  const auto sites = std::make_unique<CallSites>();
  const char* const function = "MPI_Bcast";
  for (std::size_t i = 1; i <= CallSites::max_sites + 10; ++i) sites->at(address(64 * i), function).add(1, 8, {});
  std::uint64_t calls = 0, others = 0;
  for (const CallSites::Site& site : all_of(*sites)) {
    (site.address != nullptr ? calls : others) += site.sums->calls;
  }
  EXPECT_EQ(calls, CallSites::max_sites);
  EXPECT_EQ(others, 10u);
}

TEST(CallSites, count_every_call_of_several_threads) {
  const auto sites = std::make_unique<CallSites>();
  const char* const function = "MPI_Bcast";
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < 4000; ++i) sites->at(address(64 * (i % 100 + 1)), function).add(1, 1, {});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto all = all_of(*sites);
  EXPECT_EQ(all.size(), 100u);
  for (const CallSites::Site& site : all) EXPECT_EQ(site.sums->calls, 160u);
}

}  // namespace
}  // namespace espalier
