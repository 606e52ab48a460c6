// SPDX-License-Identifier: Apache-2.0
#include "verify/direct_check.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"

namespace espalier::direct_check_test {
namespace {

std::string check(Collective collective, std::string_view name) {
  std::vector<Schedule> ranks;
  for (Rank me = 0; me < 4; ++me) {
    ranks.push_back(build_schedule(*find_algorithm(collective, name),
                                   {.contract = contract_of(collective), .shape = {4, nullptr}, .me = me}));
  }
  return proof::check_direct(ranks);
}

TEST(DirectCheck, passes_where_all_goes_to_its_owner) {
  EXPECT_EQ(check(Collective::bcast, "linear"), "");
  EXPECT_EQ(check(Collective::alltoall, "pairwise_mpi_barrier"), "");
}

TEST(DirectCheck, finds_who_hands_on) {
  EXPECT_NE(check(Collective::bcast, "chain").find("rank 1 hands on"), std::string::npos);
  EXPECT_NE(check(Collective::alltoall, "bruck").find("hands on"), std::string::npos);
}

TEST(DirectCheck, finds_who_combines) {
  EXPECT_NE(check(Collective::reduce, "binomial").find("rank 0 hands on"), std::string::npos);
}

}  // namespace
}  // namespace espalier::direct_check_test
