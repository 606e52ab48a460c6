// SPDX-License-Identifier: Apache-2.0
#include "estimate/network_cut.hpp"

#include <gtest/gtest.h>

namespace espalier::network_cut_test {
namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

TEST(BestSegment, grows_with_the_message) {
  const TreePipeline pipeline{.trees = 3, .height = 84, .hop_seconds = 2e-6, .link_bytes_per_second = 5e9};
  std::size_t last = 0;
  for (std::size_t bytes = 64 << 10; bytes <= 64 * MiB; bytes *= 4) {
    const std::size_t segment = best_segment(pipeline, Collective::bcast, bytes);
    EXPECT_GE(segment, last);
    last = segment;
  }
  const TreePipeline slow{.trees = 3, .height = 84, .hop_seconds = 1e-3, .link_bytes_per_second = 5e9};
  EXPECT_EQ(best_segment(slow, Collective::bcast, 1024 * MiB), MiB) << "never more than this";
}

TEST(BestSegment, may_lie_between_powers_of_two) {
  const TreePipeline pipeline{.trees = 3, .height = 84, .hop_seconds = 4e-6, .link_bytes_per_second = 5e9};
  EXPECT_EQ(best_segment(pipeline, Collective::bcast, 16 * MiB), 48u << 10);
}

// No message leaves while the processor adds, so that each costs more than in a broadcast.
TEST(BestSegment, is_larger_for_reductions_than_for_broadcasts) {
  const TreePipeline k_computer{.trees = 3,
                                .height = 84,
                                .hop_seconds = 1.27e-6,
                                .link_bytes_per_second = 11.6e9 / 3,
                                .reduction_bytes_per_second = 6.58e9};
  EXPECT_GT(best_segment(k_computer, Collective::reduce, 1024 * MiB),
            best_segment(k_computer, Collective::bcast, 1024 * MiB));
}

}  // namespace
}  // namespace espalier::network_cut_test
