// SPDX-License-Identifier: Apache-2.0
// What is in place before a program's first call.
#include "mpi/start/prefault.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/start/own_segments.hpp"
#include "start/launched.hpp"

namespace espalier::prefault_test {
namespace {

bool is_loaded_in(const OwnSegment& segment, const void* address) {
  const auto* const one = static_cast<const char*>(address);
  return segment.type == PT_LOAD && one >= segment.memory && one < segment.memory + segment.bytes;
}

bool is_own(const void* address) {
  return std::ranges::any_of(own_segments(), [&](const OwnSegment& one) { return is_loaded_in(one, address); });
}

TEST(OwnSegments, hold_our_code_and_nobody_elses) {
  EXPECT_TRUE(is_own(reinterpret_cast<const void*>(&prefault)));
  EXPECT_FALSE(is_own(reinterpret_cast<const void*>(dlsym(RTLD_DEFAULT, "malloc"))));
}

// A call that was rehearsed was not made: nothing of it is counted, remembered or heard of by others.
TEST(Prefault, leaves_no_trace) {
  const std::string said = said_by_job(2, fake::functions(), [](Context& here) {
    Communicator* const found = here.communicators.find_or_add(MPI_COMM_WORLD).communicator;
    ASSERT_NE(found, nullptr);
    auto& world = static_cast<PreparedCommunicator&>(*found);
    const auto calls = world.call();
    prefault();
    EXPECT_EQ(world.call(), calls);
    EXPECT_EQ(world.first_calls(Collective::allreduce), 0u);
    const CallCount counted = here.communicators.calls(Collective::allreduce);
    EXPECT_EQ(counted.own + counted.native, 0u);
  });
  EXPECT_EQ(said, "");
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

}  // namespace
}  // namespace espalier::prefault_test
