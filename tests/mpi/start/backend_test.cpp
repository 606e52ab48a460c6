// SPDX-License-Identifier: Apache-2.0
#include "preload/backend.h"

#include <gtest/gtest.h>

#include "start/launched.hpp"

extern "C" const EspalierBackend* espalier_backend(const EspalierHost* host);

namespace espalier {
namespace {

std::string printed_if_refused(const EspalierHost* host) {
  return said_during([&] { EXPECT_EQ(espalier_backend(host), nullptr); });
}

TEST(Backend, refuses_a_preload_of_another_version) {
  EspalierHost other = fake::host;
  other.version = ESPALIER_BACKEND_VERSION + 1;
  EXPECT_EQ(times(printed_if_refused(&other), "are from different versions"), 1);
  EXPECT_EQ(times(printed_if_refused(nullptr), "are from different versions"), 1);
}

TEST(Backend, refuses_an_mpi_that_lacks_a_function) {  // this one has none by name
  EXPECT_EQ(times(printed_if_refused(&fake::host), "the fake MPI has no MPI_Init"), 1);
}

}  // namespace
}  // namespace espalier
