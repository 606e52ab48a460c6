// SPDX-License-Identifier: Apache-2.0
// Which row of the report a call belongs to, by what it runs as.
#include "mpi/call/report_key.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"

namespace espalier::report_key_test {
namespace {

const Function exchange = {
    .name = "MPI_Neighbor_alltoall_c", .collective = "neighbor_alltoall", .kind = FunctionKind::exchange};
const Call call{.function = &exchange};

TEST(ReportKey, of_a_native_call_has_its_reason_and_no_parameters) {
  const ReportKey key(call, 8, ran_natively("too short to gain"));
  EXPECT_EQ(key.view().algorithm, native_name);
  EXPECT_EQ(key.view().parameters, "");
  EXPECT_STREQ(std::string(key.view().reason).c_str(), "too short to gain");
}

TEST(ReportKey, of_an_algorithm_has_its_name_and_parameters) {
  const ReportKey key(call, 8, {.choice = {.algorithm = find_algorithm(Collective::allreduce, "ring")}});
  EXPECT_EQ(key.view().algorithm, "ring");
  EXPECT_NE(key.view().parameters, "");
}

TEST(ReportKey, of_what_is_ours_and_no_algorithm_has_the_name_of_that) {
  const RanAs ran_as{.choice = {.reason = "asked for"}, .by = "even+aggregated"};
  EXPECT_FALSE(ran_as.native());
  const ReportKey key(call, 8, ran_as);
  EXPECT_EQ(key.view().algorithm, "even+aggregated");
  EXPECT_EQ(key.view().parameters, "");
}

TEST(ReportKey, names_one_function_for_small_and_for_large_counts) {
  EXPECT_EQ(ReportKey(call, 8, {}).view().function, "MPI_Neighbor_alltoall");
}

}  // namespace
}  // namespace espalier::report_key_test
