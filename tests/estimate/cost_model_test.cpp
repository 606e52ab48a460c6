// SPDX-License-Identifier: Apache-2.0
#include "estimate/cost_model.hpp"

#include <gtest/gtest.h>

namespace espalier::cost_model_test {
namespace {

constexpr double KiB = 1024, GiB = KiB * KiB * KiB;

// Paper 1, section 6.4.3: 9216 nodes as 48x6x32, 1 GiB.
constexpr TreePipeline k_computer{.trees = 3,
                                  .height = 84,
                                  .hop_seconds = 1.27e-6,
                                  .link_bytes_per_second = 11.6e9 / 3,
                                  .reduction_bytes_per_second = 6.58e9};

TEST(CostModel, gives_the_times_of_the_first_paper) {
  EXPECT_NEAR(bcast_seconds(k_computer, GiB, 64 * KiB), 94.1e-3, 0.05e-3);
  EXPECT_NEAR(reduce_seconds(k_computer, GiB, 48 * KiB), 193e-3, 0.5e-3);
}

// Paper 2, sections 5.3 and 7: what each form costs against multi-lane, for a long message in a large cluster.
TEST(CostModel, gives_the_ratios_of_the_second_paper) {
  const Cluster cluster{.nodes = 1 << 10, .latency = 1e-4, .bytes_per_second = 1e8};
  const double bytes = 1e12, best = bytes / cluster.bytes_per_second;
  EXPECT_NEAR(scatter_allgather_bcast_seconds(cluster, bytes) / best, 2, 3e-3);
  EXPECT_NEAR(binomial_bcast_seconds(cluster, bytes) / best, 10, 1e-3);
}

}  // namespace
}  // namespace espalier::cost_model_test
