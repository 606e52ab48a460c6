// SPDX-License-Identifier: Apache-2.0
// What algorithms say of themselves for the estimate: is it what their schedules are?
#include "algorithms/candidacy.hpp"

#include <gtest/gtest.h>

#include "../support/built.hpp"
#include "algorithms/algorithm.hpp"
#include "topology/network.hpp"
#include "verify/sample_networks.hpp"

namespace espalier {
namespace {

bool is_on(NetworkKind kind, const Network& network) {
  return kind == NetworkKind::torus ? network.torus() != nullptr : network.is_connected();
}

TEST(Candidacy, divides_a_message_among_as_many_trees_as_the_pipeline_has) {
  for (const SampleNetwork& sample : sample_networks()) {
    for (const Algorithm& algorithm : registry()) {
      const auto& contender = algorithm.contender;
      if (!contender || algorithm.pipeline == nullptr || !is_on(contender->on, *sample.shape.network)) continue;
      const Pipeline pipeline = algorithm.pipeline(*sample.shape.network);
      EXPECT_EQ(pipeline.trees, built(algorithm, sample.shape, 0).blocks) << algorithm.name << " on " << sample.name;
      EXPECT_GE(pipeline.height, pipeline.passes * (sample.shape.network->nodes() > 1 ? 1 : 0)) << algorithm.name;
    }
  }
}

TEST(Candidacy, counts_the_trees_that_share_no_link) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.shape.network->nodes() == 1) continue;
    for (const Algorithm& algorithm : registry()) {
      if (algorithm.disjoint_trees == nullptr || !has_what_is_needed(algorithm.needs, sample.shape)) continue;
      EXPECT_EQ(algorithm.disjoint_trees(*sample.shape.network), built(algorithm, sample.shape, 0).blocks)
          << algorithm.name << " on " << sample.name;
    }
  }
}

}  // namespace
}  // namespace espalier
