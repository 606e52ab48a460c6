// SPDX-License-Identifier: Apache-2.0
// What is in place before a program's first call.
#include "mpi/start/prefault.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/start/own_library.hpp"
#include "start/launched.hpp"

namespace espalier::prefault_test {
namespace {

bool is_own(const void* address) {
  const OwnLibrary own = own_library();
  return std::ranges::any_of(own.segments, [&](const ElfW(Phdr) & segment) {
    const char* const memory = own.memory_of(segment);
    return segment.p_type == PT_LOAD && address >= memory && address < memory + segment.p_memsz;
  });
}

TEST(OwnLibrary, holds_our_code_and_nobody_elses) {
  EXPECT_TRUE(is_own(reinterpret_cast<const void*>(&prefault)));
  EXPECT_FALSE(is_own(reinterpret_cast<const void*>(dlsym(RTLD_DEFAULT, "malloc"))));
}

// A call that was rehearsed was not made: nothing of it is counted or decided, and the other rank need not come.
TEST(Prefault, leaves_no_trace) {
  const std::string said = said_by_job(2, fake::functions(), [](Context& here) {
    Communicator* const found = here.communicators.find_or_add(MPI_COMM_WORLD).communicator;
    ASSERT_NE(found, nullptr);
    auto& world = static_cast<PreparedCommunicator&>(*found);
    const auto calls = world.call();
    if (world.rank() == 0) prefault();
    EXPECT_EQ(world.call(), calls);
    EXPECT_EQ(world.first_calls(Collective::allreduce), 0u);
    EXPECT_TRUE(world.stories().empty());
    const CallCount counted = here.communicators.calls(Collective::allreduce);
    EXPECT_EQ(counted.own + counted.native, 0u);
  });
  EXPECT_EQ(said, "");
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

}  // namespace
}  // namespace espalier::prefault_test
