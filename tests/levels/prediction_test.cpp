// SPDX-License-Identifier: Apache-2.0
#include "levels/prediction.hpp"

#include <gtest/gtest.h>

#include "levels/known_nodes.hpp"
#include "levels/levels_reader.hpp"
#include "levels/small_node.hpp"

namespace espalier::prediction_test {
namespace {

NodeLevels known(std::string_view name) {
  for (const KnownText& one : known_nodes()) {
    if (one.name == name) return levels_from_toml(one.text, std::string(name));
  }
  throw std::logic_error("no such node");
}

Prediction fastest(const NodeLevels& node, std::size_t bytes, Handover handover) {
  const Problem problem{.collective = Collective::allreduce, .count = bytes / 8, .element_bytes = 8};
  return predictions(problem, {node, placed_in_order(node.cores()), handover}).front();
}

TEST(Prediction, has_the_fastest_of_each_algorithm_in_order) {
  const NodeLevels node = small_node();
  const auto found = predictions({.collective = Collective::bcast, .count = 64}, {node, placed_in_order(2)});
  ASSERT_GT(found.size(), 3u);
  for (std::size_t k = 1; k < found.size(); ++k) EXPECT_LE(found[k - 1].cost.seconds, found[k].cost.seconds);
}

TEST(Prediction, cuts_messages_as_it_is_told) {
  const NodeLevels node = small_node();
  const std::size_t segment[] = {64};
  const auto found = predictions({.collective = Collective::bcast, .count = 256}, {node, placed_in_order(2)}, segment);
  for (const Prediction& one : found) EXPECT_EQ(one.choice.cut.segment_bytes, 64u);
}

// ext_mpi: 4.8, 24 and 331 us.
TEST(Prediction, of_128_ranks_is_within_what_others_take_where_memory_is_mapped) {
  const NodeLevels node = known("epyc-7742");
  EXPECT_LT(fastest(node, 8, Handover::streams).cost.seconds, 4.8e-6);
  const Prediction middle = fastest(node, 64 << 10, Handover::mapped);
  EXPECT_EQ(middle.choice.algorithm->name, "levels");
  EXPECT_LT(middle.cost.seconds, 24e-6);
  EXPECT_LT(fastest(node, 1 << 20, Handover::mapped).cost.seconds, 331e-6);
}

}  // namespace
}  // namespace espalier::prediction_test
