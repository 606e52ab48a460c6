// SPDX-License-Identifier: Apache-2.0
// This program contains the preload and is linked with fake_mpi, which it takes for its MPI.
#include "preload/callers.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <thread>
#include <vector>

#include "preload/loader/mpi_library.hpp"

extern "C" int PMPI_Get_version(int* major, int* minor);

namespace espalier {
namespace {

int somewhere_in_this_program = 0;

TEST(Callers, threads_that_ask_at_once_agree) {
  std::vector<std::thread> threads;
  std::vector<Caller> callers(8);
  for (Caller& caller : callers) threads.emplace_back([&caller] { caller = caller_at(&somewhere_in_this_program); });
  for (std::thread& thread : threads) thread.join();
  for (const Caller& caller : callers) {
    EXPECT_EQ(caller.mpi, served_mpi);
    EXPECT_FALSE(caller.internal);
  }
  EXPECT_EQ(known_mpis(), 1);
}

TEST(Callers, mpi_library_itself_is_internal) {
  const Caller caller = caller_at(reinterpret_cast<const void*>(&PMPI_Get_version));
  EXPECT_EQ(caller.mpi, served_mpi);
  EXPECT_TRUE(caller.internal);
}

TEST(Callers, library_that_is_not_part_of_the_mpi_is_an_application) {
  const Caller caller = caller_at(reinterpret_cast<const void*>(&mmap));
  EXPECT_EQ(caller.mpi, served_mpi);
  EXPECT_FALSE(caller.internal);
}

TEST(Callers, code_made_at_run_time_is_an_application) {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  const Caller caller = caller_at(static_cast<const char*>(page) + 100);
  EXPECT_EQ(caller.mpi, served_mpi);
  EXPECT_FALSE(caller.internal);
  munmap(page, 4096);
}

TEST(MpiLibrary, plugins_are_part_of_it_and_translators_are_not) {
  const Module mpi{"/lib/libmpi.so.40", 0x1000, 0x1000, 0x2000};
  const auto part = [&](const char* path) { return is_part_of_mpi(Module{path, 0x5000, 0x5000, 0x6000}, mpi); };
  EXPECT_TRUE(is_part_of_mpi(mpi, mpi));
  EXPECT_TRUE(part("/lib/openmpi/mca_coll_tuned.so"));
  EXPECT_TRUE(part("/lib/openmpi/mca_io_romio321.so"));
  for (const char* translator :
       {"libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpichfort.so.12", "libmpi_cxx.so.40"}) {
    EXPECT_FALSE(part(translator)) << translator;
  }
  EXPECT_FALSE(part("")) << "the program itself";
}

}  // namespace
}  // namespace espalier
