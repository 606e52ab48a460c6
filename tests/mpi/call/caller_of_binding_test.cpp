// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/caller_of_binding.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Binding, is_known_by_the_name_of_its_file) {
  for (const char* name : {"libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpifort.so.12", "libmpichfort.so.12"}) {
    EXPECT_TRUE(is_binding(name)) << name;
  }
  for (const char* name : {"libmpi.so.40", "libmpich.so.12", "app", "MPI.cpython-311-x86_64-linux-gnu.so", ""}) {
    EXPECT_FALSE(is_binding(name)) << name;
  }
}

TEST(AddressInProgram, is_the_callers_own_where_no_binding_calls) {
  const void* const here = __builtin_return_address(0);
  for (int call = 0; call < 3; ++call) EXPECT_EQ(address_in_program({here, __builtin_dwarf_cfa()}), here);
}

}  // namespace
}  // namespace espalier
